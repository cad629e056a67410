"""What a summariser answered: the JSON that was asked for, or whatever can be made of it.

Models wrap JSON in prose and fences, break it off, or write Markdown instead. It knows nothing of
how they were asked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from octochat.context.notes.sections import TITLES, Sections, Statement, Title, unsourced
from octochat.context.session.events import Knowledge
from octochat.context.session.tags import without_echo
from octochat.summaries.broken_json import outermost_object
from octochat.summaries.refusals import UnusableError, check_not_refused

KnowledgeKind: TypeAlias = Literal["decision", "constraint", "preference", "fact"]
KINDS: dict[object, KnowledgeKind] = {
    "decision": "decision",
    "constraint": "constraint",
    "preference": "preference",
    "fact": "fact",
}
_FIELDS: dict[str, Title] = {
    "goal": "Goal",
    "outcomes": "Outcomes",
    "verified": "Verified",
    "progress": "State and progress",
    "decisions": "Decisions",
    "constraints": "Constraints and preferences",
    "questions": "Open questions",
    "next_steps": "Next steps",
}
_WORTH: dict[Title, float] = {
    "Goal": 5.0,
    "Constraints and preferences": 4.0,
    "Outcomes": 3.5,
    "Next steps": 3.5,
    "Verified": 3.0,
    "Decisions": 3.0,
    "State and progress": 2.5,
    "Open questions": 2.0,
}
"""What a line of each section is worth where there is not room for all."""


_TEXTS: dict[str, str] = {
    "progress": "What was done, what was found out, how things stand.",
    "outcomes": "What came of the task, and what did not.",
    "verified": "What was checked, how, and with which result.",
    "decisions": "Each with its reason.",
    "constraints": "Rules and preferences.",
    "questions": "What is open.",
    "next_steps": "What remains, in order.",
}
_KNOWLEDGE: dict[str, object] = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": list(KINDS)},
        "text": {"type": "string"},
    },
    "required": ["kind", "text"],
    "additionalProperties": False,
}


def _schema(*sections: str) -> Mapping[str, object]:
    fields: dict[str, object] = {
        "should_compress": {"type": "boolean"},
        "reason": {"type": "string"},
        "goal": {"type": "string"},
    }
    for name in sections:
        texts = {"type": "array", "items": {"type": "string"}, "description": _TEXTS[name]}
        fields[name] = texts
    fields["knowledge"] = {"type": "array", "items": _KNOWLEDGE}
    fields["outdated"] = {"type": "array", "items": {"type": "integer"}}
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


SCHEMA = _schema("progress", "decisions", "constraints", "questions", "next_steps")
"""The answer's form, for models that can be held to one."""
OUTCOME_SCHEMA = _schema("outcomes", "verified", "decisions", "constraints")
"""The same where a task is done."""


@dataclass(frozen=True, slots=True)
class SummaryAnswer:
    """A decision and a summary."""

    sections: Sections
    knowledge: tuple[Knowledge, ...] = ()
    outdated: tuple[int, ...] = ()
    """Which entries of the list that it was given hold no longer, counted from 1."""
    should_compress: bool = True
    reason: str = ""


def read_answer(text: str) -> SummaryAnswer:
    """The answer in a model's words, leniently.

    Raises:
        RefusedError: the model would not.
        UnusableError: it is empty or an error, or says nothing.
    """
    fields = outermost_object(text, _known)
    answer = _of_fields(fields) if fields is not None else _of_prose(text)
    check_not_refused(" ".join(line.text for line in answer.sections))
    if answer.should_compress and not answer.sections:
        raise UnusableError("the summary is empty")
    return answer


def read_paragraph(text: str) -> str:
    """A summary that should be one paragraph of prose.

    Raises:
        RefusedError: the model would not.
        UnusableError: it is empty or an error.
    """
    plain = _flat(_FENCE.sub("", text))
    if not plain:
        raise UnusableError("the summary is empty")
    check_not_refused(plain)
    return plain


_FENCE = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)
_HEADING = re.compile(r"^\s*(?:#+\s*(.+?)|\*\*(.+?)\*\*:?)\s*:?\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")


def _known(fields: dict[str, Any]) -> bool:
    return not fields.keys().isdisjoint({*_FIELDS, "should_compress", "sections"})


def _of_fields(fields: Mapping[str, Any]) -> SummaryAnswer:
    nested: Any = fields.get("sections")
    inner: Mapping[str, Any] = (
        cast("dict[str, Any]", nested) if isinstance(nested, dict) else fields
    )
    sections = tuple(
        Statement(title, text, _WORTH[title])
        for name, title in _FIELDS.items()
        for text in _lines(inner.get(name))
    )
    should = fields.get("should_compress", True)
    return SummaryAnswer(
        sections,
        tuple(_knowledge(fields.get("knowledge"))),
        tuple(_numbers(fields.get("outdated"))),
        should not in (False, "false", "False", "no"),
        str(fields.get("reason") or "").strip(),
    )


def _lines(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield from (line for part in value.splitlines() if (line := _bare(part)))
        case list():
            for item in cast("list[Any]", value):
                yield from _lines(item)
        case dict():
            joined = ": ".join(str(v) for v in cast("dict[str, Any]", value).values() if v)
            yield from _lines(joined.replace("\n", " "))
        case _:
            pass


def _bare(line: str) -> str:
    return _flat(_BULLET.sub("", line))


def _flat(text: str) -> str:
    """On one line, without tags that the model only repeats."""
    return without_echo(" ".join(text.split()))


def _knowledge(value: Any) -> Iterator[Knowledge]:
    for item in cast("Sequence[Any]", value) if isinstance(value, list) else ():
        kind: Any = "fact"
        text: Any = item
        if isinstance(item, dict):
            entry = cast("dict[str, Any]", item)
            kind, text = entry.get("kind"), entry.get("text")
        if isinstance(text, str) and (plain := unsourced(_flat(text))):
            yield Knowledge(KINDS.get(kind, "fact") if isinstance(kind, str) else "fact", plain)


def _numbers(value: Any) -> Iterator[int]:
    for item in cast("Sequence[Any]", value) if isinstance(value, list) else ():
        found = re.fullmatch(r"\W*(\d{1,4})\W*", str(item))
        if found and not isinstance(item, bool):
            yield int(found[1])


def _of_prose(text: str) -> SummaryAnswer:
    """Markdown sections under their titles; what has none is progress."""
    check_not_refused(text)
    title: Title = "State and progress"
    lines: list[Statement] = []
    for raw in _FENCE.sub("", text).splitlines():
        heading = _HEADING.match(raw)
        if heading:
            title = _title(heading[1] or heading[2], title)
        elif (bare := _bare(raw)) and any(map(str.isalnum, bare)):
            lines.append(Statement(title, bare, _WORTH[title]))
    order = {name: place for place, name in enumerate(TITLES)}
    return SummaryAnswer(tuple(sorted(lines, key=lambda line: order[line.title])))


_HEADINGS: dict[str, Title] = {
    "goal": "Goal",
    "outcome": "Outcomes",
    "verified": "Verified",
    "verification": "Verified",
    "decision": "Decisions",
    "constraint": "Constraints and preferences",
    "preference": "Constraints and preferences",
    "question": "Open questions",
    "next": "Next steps",
    "remaining": "Next steps",
    "progress": "State and progress",
    "state": "State and progress",
}


def _title(heading: str, before: Title) -> Title:
    """The section that a heading in the model's own words means."""
    meant: list[Title] = [title for word, title in _HEADINGS.items() if word in heading.lower()]
    return meant[0] if meant else before
