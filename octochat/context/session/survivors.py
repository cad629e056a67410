"""Which entries of a log count: those that nothing has undone."""

from collections.abc import Iterator, Sequence
from math import inf

from octochat.context.session.events import Entry, EntryId, Recalled, Reverted, Rewound


def surviving(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that no rewind and no revert has undone, reverts themselves included."""
    return list(newest_first(entries))[::-1]


class Survivors:
    """The surviving entries of a log that grows: nobody has to read all of it for each new one."""

    def __init__(self, log: Sequence[Entry] = ()) -> None:
        self._kept: list[Entry] = surviving(log)

    @property
    def entries(self) -> Sequence[Entry]:
        """They, oldest first."""
        return self._kept

    def add(self, log: Sequence[Entry]) -> None:
        """Take in the last entry of `log`, which has the earlier ones, too."""
        if isinstance(log[-1].event, Rewound | Reverted):
            self._kept = surviving(log)
        else:
            self._kept.append(log[-1])


def newest_first(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The same from the end; who needs only the latest looks no further back."""
    kept: float = inf
    recalled: float = inf
    undone: set[EntryId | None] = set()
    for entry in reversed(entries):
        match entry.event:
            case Rewound(to=to):
                kept = min(kept, to)
                continue
            case _ if entry.id > kept:
                continue
            case Reverted(condensed=folded, task=task):
                undone.update((folded, task))
                recalled = min(recalled, folded)
            case Recalled() if entry.id > recalled:  # the fold is undone: it stands in the view
                continue
            case _:
                pass
        if entry.id not in undone:
            yield entry
