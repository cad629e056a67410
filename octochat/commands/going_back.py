"""`/undo` and `/rewind`: back to before a prompt. Files keep what was done to them."""

from collections.abc import Iterator, Sequence

from octochat.commands.base import Command, Refused, Report, Saying
from octochat.context.session.content import ToolCall
from octochat.context.session.events import Entry, EntryId, Replied, Returned, Rewound
from octochat.engine import tasks
from octochat.models.port import Notice
from octochat.session.session import Session
from octochat.storage.fork import prompts
from octochat.text.harmless import one_line
from octochat.tools.facts import facts_of

LISTED = 20
"""Prompts that `/rewind` lists."""
LONGEST = 100
"""Characters of one there."""


async def _undo(session: Session, rest: str) -> Saying:
    if rest:
        yield Refused("Usage: /undo takes back the last prompt; /rewind NUMBER goes further back")
        return
    before = tuple(session.engine.log.entries)
    undone = tasks.undo(session.engine)
    if undone is None:
        yield Report("There is nothing to undo.")
        return
    for item in _told(before, undone[0]):
        yield item


async def _rewind(session: Session, rest: str) -> Saying:
    before = tuple(session.engine.log.entries)
    said = prompts(before)
    number = rest.lstrip("#")
    if not said:
        yield Report("You haven't said anything yet.")
    elif not number.isdecimal() or int(number) not in dict(said):
        rows = [f"  #{n:<6}{first_line(text)}" for n, text in said[-LISTED:]]
        told = "\n".join(("Back to before which prompt? /rewind NUMBER", *rows))
        yield Refused(told) if number else Report(told)
    elif undone := tasks.rewind(session.engine, int(number)):
        for item in _told(before, undone[0]):
            yield item


def first_line(text: str) -> str:
    """The beginning of a prompt, on one line."""
    return one_line(" ".join(text.split())[:LONGEST])


def _told(before: Sequence[Entry], undone: Entry) -> Iterator[Entry | Notice]:
    yield undone
    to = undone.event.to if isinstance(undone.event, Rewound) else 0
    if files := _changed_files(before, to):
        named = ", ".join(files)
        yield Notice(
            f"Your files keep the changes made since then: {named}. /diff shows them.", "warning"
        )


def _changed_files(log: Sequence[Entry], after: EntryId) -> tuple[str, ...]:
    """Files that calls changed after an entry, as the calls named them."""
    failed = {e.event.call_id for e in log if isinstance(e.event, Returned) and e.event.failed}
    calls = (
        block
        for entry in log
        if entry.id > after and isinstance(entry.event, Replied)
        for block in entry.event.blocks
        if isinstance(block, ToolCall) and facts_of(block).new_text
    )
    paths = (str(c.arguments.get("file_path", "")) for c in calls if c.id not in failed)
    return tuple(dict.fromkeys(path for path in paths if path))


GOING_BACK_COMMANDS: tuple[Command, ...] = (
    Command("undo", "", "take back the last prompt and all that followed", _undo),
    Command("rewind", "[NUMBER]", "take back a prompt of your choice and what followed", _rewind),
)
"""Those that both front ends have."""
