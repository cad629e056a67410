"""What came of a tool call, in lines: its facts, then the end of its output or its change."""

from collections.abc import Sequence

from octochat.context.session.content import Text, ToolCall, plain_text
from octochat.context.session.events import Returned
from octochat.context.session.tool_marks import unmarked
from octochat.frontends.shared import outcomes
from octochat.frontends.shared.changes import SHOWN, Change, change_of
from octochat.text.figures import count
from octochat.tools.facts import facts_of

LONGEST = 400
"""Characters of a line that are shown; `/show` has the rest."""


def facts_line(call: ToolCall, event: Returned) -> str:
    """How it ended, and what is worth a word, on one line."""
    outcome, text = outcomes.outcome_of(event, plain_text(event.content).strip())
    facts = outcomes.facts(call, event, outcome, text).replace(" · ", ", ")
    if outcome == "refused" and text:
        return f"{facts}: {_cut(text)}"
    if outcome == "failed" and not facts_of(call).prints:
        return f"failed: {_cut(text)}"
    others = sum(not isinstance(block, Text) for block in event.content)
    attached = f"({count(others, 'attachment')})" if others else ""
    failed = "failed" if outcome == "failed" else ""
    return ", ".join(filter(None, (failed, facts, attached))) or "done"


def work_lines(call: ToolCall, event: Returned) -> Sequence[str]:
    """What it printed at last, or what it changed; nothing of what was only looked up."""
    known = facts_of(call)
    outcome, text = outcomes.outcome_of(event, plain_text(event.content))
    if known.prints and outcome not in outcomes.UNDONE:
        most = outcomes.LAST_OF_FAILURE if outcome == "failed" else outcomes.LAST
        before, last = outcomes.last_lines(unmarked(call.name, text), most)
        lines = [f"  {line}".rstrip()[:LONGEST] for line in last.split("\n")] if last else []
        return [*_left_out(before), *lines]
    change = change_of(call, event.diff, event.note)
    return _change(change) if outcome == "done" else ()


def _change(change: Change) -> Sequence[str]:
    total, digits = len(change.lines), change.digits
    shown = total if total <= SHOWN + 1 else SHOWN
    lines = [
        f"  {line.number or '':>{digits}} {line.sign} {line.text}".rstrip()[:LONGEST]
        if line.sign != "@"
        else "  …"
        for line in change.lines[:shown]
    ]
    return [*lines, *_left_out(total - shown)]


def _left_out(lines: int) -> Sequence[str]:
    return (f"  … {count(lines, 'more line')}",) if lines else ()


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
