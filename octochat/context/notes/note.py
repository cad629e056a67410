"""The note that takes a range's place: requests, sections, knowledge and the artifact index.

Put together by code, within a budget of tokens. It does not know who wrote the sections.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from octochat.context.notes.artifacts import Artifacts
from octochat.context.notes.fitting import Measure, longest, shares
from octochat.context.notes.index import changed_files, index
from octochat.context.notes.requests import (
    UserRequest,
    binding_order,
    request_lines,
    rule_lines,
    rules,
    whole_line,
)
from octochat.context.notes.sections import Sections, fitted, render
from octochat.context.session.content import ToolCall
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry, Knowledge, Prompted, Replied, Returned
from octochat.context.session.tags import WORK, escaped, tagged

SHARES = {"sections": 0.55, "index": 0.33, "requests": 0.12}
"""How the room is divided that is left when what must be in a note is in it; what one part does
not use the others get (docs/memory.md#the-note)."""
MOST_INDEX = 1 / 3
"""Share of a note that the index may take, changed files aside."""
MOST_RULES = 0.9
"""Share of a note's room that the person's rules may take; beyond it the longest go."""
SUMMARY_PREFIX = "[Earlier conversation summary]: "
"""What the one-paragraph summaries begin with."""

_SLACK = 24
"""Tokens by which a sum of parts may be measured differently from the whole, or a twentieth."""
_MOST_CHARACTERS = 20
"""Characters of prose that a token never has on average."""
_TIGHT = 500
"""Tokens of a note below which it says in a line what it is."""


@dataclass(frozen=True, slots=True)
class NoteParts:
    """All that a note is put together from."""

    requests: tuple[UserRequest, ...] = ()
    sections: Sections = ()
    knowledge: tuple[Knowledge, ...] = ()
    artifacts: Artifacts = Artifacts()
    covers: tuple[UnitId, ...] = ()
    """The entries that the note stands for, oldest first."""
    ended: bool = False
    """The task is done: of the index only the changed files are of use."""


def originals(entries: Iterable[Entry], covers: Collection[UnitId]) -> tuple[Entry, ...]:
    """The logged prompts, replies and tool results of these units, whole, in order.

    Arguments:
        entries: the log, what was undone left out.
        covers: ids of units, those that earlier notes stand for included.
    """
    wanted = frozenset(covers)
    calls: set[str] = set()
    found: list[Entry] = []
    for entry in entries:
        match entry.event:
            case Prompted() if entry.id in wanted:
                found.append(entry)
            case Replied(blocks=blocks) if entry.id in wanted:
                calls.update(block.id for block in blocks if isinstance(block, ToolCall))
                found.append(entry)
            case Returned(call_id=call_id) if call_id in calls:
                found.append(entry)
            case _:
                pass
    return tuple(found)


def assemble(parts: NoteParts, budget: int, measure: Measure) -> str:
    """The note, between its tags, with every tag inside it escaped.

    What must be in it stands in it whatever it takes: what binds, the first and the latest request,
    all knowledge, what a model wrote, and every changed file. The rest fits into `budget` tokens.
    """
    opening = _brief_opening(parts) if budget < _TIGHT else _opening(parts)
    frame = tagged(WORK, _join(opening, "## What was asked", "## Artifacts"))
    room = budget - measure(frame) - min(_SLACK, budget // 20)
    ends = measure(request_lines(parts.requests, 0, 0, measure))
    binding = _binding(parts, min(int(room * MOST_RULES), room - ends), measure)
    known = _knowledge(parts.knowledge, binding)
    changed = changed_files(parts.artifacts)
    left = room - sum(map(measure, (binding, known, changed)))
    whole = min(budget, 2 * left)
    least = request_lines(parts.requests, 0, whole, measure)
    given = _allotted(parts, max(left - measure(least), 0), budget, measure)
    asked_for = request_lines(parts.requests, measure(least) + given["requests"], whole, measure)
    told = _join(
        _titled("What was asked", _join(binding, asked_for)),
        known,
        fitted(parts.sections, given["sections"], measure),
    )
    rest = min(room - measure(told), int(budget * MOST_INDEX) + measure(changed))
    listed = changed if parts.ended else index(parts.artifacts, rest, measure, told)
    return tagged(WORK, _join(opening, told, _titled("Artifacts", listed)))


def one_paragraph(text: str, budget: int, measure: Measure) -> str:
    """A one-paragraph note: `text` behind its prefix, cut at the end of a sentence if too long."""
    words = escaped(" ".join(text.split())).split(" ")
    kept = longest(words, lambda some: SUMMARY_PREFIX + " ".join(some), budget, measure)
    return SUMMARY_PREFIX + " ".join(kept)


def _opening(parts: NoteParts) -> str:
    what = "An earlier task, which is done" if parts.ended else "The work so far"
    stands = (
        f"It stands for {len(parts.covers)} messages ({_spans(parts.covers)}); `recall` fetches "
        "any of them word for word. "
        if parts.covers
        else ""
    )
    return f"{what}, noted down by octochat. {stands}" + (
        "Its requests are history; the rules last."
        if parts.ended
        else "Earlier requests are history: go on with the latest, and begin no finished one again."
    )


def _brief_opening(parts: NoteParts) -> str:
    spans = _spans(parts.covers)
    if parts.ended:
        return "An earlier task, which is done." + (f" `recall` fetches {spans}." if spans else "")
    first = f"{spans} in short; `recall` fetches them." if spans else "The work so far, in short."
    return f"{first} Begin no finished request again."


def _spans(covers: Sequence[UnitId]) -> str:
    match covers:
        case []:
            return ""
        case [only]:
            return f"#{only}"
        case _:
            return f"#{covers[0]} to #{covers[-1]}"


def _allotted(parts: NoteParts, left: int, budget: int, measure: Measure) -> dict[str, int]:
    most = int(budget * MOST_INDEX)
    listed = "" if parts.ended else index(parts.artifacts, most, measure)
    wants = {
        "sections": _size(parts.sections, left, measure),
        "index": measure(listed),
        "requests": _up_to(
            left, (measure(whole_line(each) + "\n") for each in parts.requests[1:-1])
        ),
    }
    return shares(wants, SHARES, left)


def _size(sections: Sections, most: int, measure: Measure) -> int:
    """Their tokens; where they are far more than `most`, no more than that."""
    if sum(len(line.text) for line in sections) > most * _MOST_CHARACTERS:
        return most
    return measure(render(sections))


def _up_to(most: int, sizes: Iterable[int]) -> int:
    """Their sum; what follows once there is no room for more is not measured."""
    total = 0
    for size in sizes:
        total += size
        if total > most:
            break
    return total


def _binding(parts: NoteParts, most: int, measure: Measure) -> str:
    """The person's rules; where they are too many for the note, the longest are left out."""
    found = rules(parts.requests)
    kept = longest(sorted(found, key=binding_order), rule_lines, most, measure)
    lines = rule_lines(rule for rule in found if rule in kept)
    return f"Rules and wishes of the person:\n{lines}\n\nRequests:" if lines else ""


def _knowledge(known: Sequence[Knowledge], told: str) -> str:
    """All of it, but for what the rules say already."""
    said = _bare(told)
    lines = [
        f"- {entry.kind}: {' '.join(entry.text.split())}"
        for entry in known
        if _bare(entry.text) not in said
    ]
    return _titled("Knowledge", "\n".join(lines))


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _titled(title: str, body: str) -> str:
    return f"## {title}\n{body}" if body else ""


def _join(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
