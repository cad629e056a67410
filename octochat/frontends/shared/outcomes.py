"""What came of a tool call, as a person is told it: a result is written for the model."""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Returned
from octochat.context.session.tool_marks import ending, unmarked
from octochat.text.figures import seconds, size
from octochat.tools.facts import facts_of

Outcome: TypeAlias = Literal["done", "failed", "stopped", "ended", "skipped", "refused", "planning"]
LAST, LAST_OF_FAILURE = 5, 15
"""Lines of what a command printed that are seen without opening it."""
NOTABLE = 0.05
"""Seconds below which a tool takes no time."""
WORDS: Mapping[Outcome, str] = {
    "stopped": "you stopped it",
    "ended": "octochat ended first",
    "skipped": "not run",
    "refused": "you said no",
    "planning": "not in plan mode",
}
UNDONE: frozenset[Outcome] = frozenset({"skipped", "refused", "planning"})
"""What never ran."""
_EXIT = re.compile(r"exit (?:status )?(-?\d+)")
_MARKS: Mapping[Outcome, re.Pattern[str]] = {
    "stopped": re.compile(r"\n?\[interrupted by the person[^\n]*\]\s*\Z"),
    "ended": re.compile(r"\A\[interrupted: octochat [^\n]*\]\s*\Z"),
    "skipped": re.compile(r"\A\[not run: (?:the person|octochat) [^\n]*\]\s*\Z"),
    "refused": re.compile(r"\Athe person did not allow it(?:: )?"),
    "planning": re.compile(r"\Anot done: plan mode is on, [^\n]*\n?"),
}


def outcome_of(returned: Returned, text: str) -> tuple[Outcome, str]:
    """How a call ended, and what of its result is not about that."""
    if not returned.failed:
        return "done", text
    for outcome, mark in _MARKS.items():
        if mark.search(text):
            return outcome, mark.sub("", text)
    return "failed", text


def facts(call: ToolCall, returned: Returned, outcome: Outcome, text: str) -> str:
    """What is worth a word beside a call: how it ended, how much came of it, how long it took."""
    known = facts_of(call)
    shown = unmarked(call.name, text)
    status = _status(ending(text)) if known.prints else ""
    told = shown.strip() and (known.prints or (outcome == "done" and not known.new_text))
    matches = ending(text).partition(";")[0] if "match" in ending(text) else ""
    much = matches or size(shown) if told and outcome not in UNDONE else ""
    took = seconds(returned.seconds) if returned.seconds >= NOTABLE else ""
    said = (WORDS.get(outcome, ""), returned.note, status, much, took)
    return " · ".join(filter(None, said))


def _status(ending: str) -> str:
    """`exit 2` of `exit 2 in 0.3 s; bash is now in sub`; nothing where all went well."""
    how, *more = ending.split("; ")
    exited = _EXIT.match(how)
    code = ("" if exited[1] == "0" else f"exit {exited[1]}") if exited else how
    return " · ".join(filter(None, (code, "no output" if "no output" in more else "")))


def last_lines(text: str, most: int) -> tuple[int, str]:
    """The last lines of a text that may be long, and how many lines stand before them."""
    text = text.strip("\n")
    lines = text.rsplit("\n", most)
    if len(lines) <= most:
        return 0, text
    before = lines[0].count("\n") + 1
    return (0, text) if before == 1 else (before, "\n".join(lines[1:]))
