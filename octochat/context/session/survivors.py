"""Which entries of a log count: those that nothing has undone."""

from collections.abc import Iterable

from octochat.context.session.events import Entry, EntryId, Recalled, Reverted, Rewound


def surviving(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that no rewind and no revert has undone, reverts themselves included."""
    alive: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, Rewound):
            to = entry.event.to
            alive = [e for e in alive if e.id <= to]
        else:
            alive.append(entry)
    undone: set[EntryId | None] = set()
    for entry in alive:
        if isinstance(entry.event, Reverted):
            folded = entry.event.condensed
            later = (each for each in alive if folded < each.id < entry.id)
            # What was recalled since then stands in the view again.
            again = (each.id for each in later if isinstance(each.event, Recalled))
            undone |= {folded, entry.event.task, *again}
    return [entry for entry in alive if entry.id not in undone]
