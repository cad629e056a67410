"""Which entries count, from either end of a log."""

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import (
    Entry,
    Event,
    Prompted,
    Recalled,
    Reverted,
    Rewound,
    TaskEnded,
    Titled,
)
from octochat.context.session.survivors import Survivors, newest_first, surviving

SAID = Prompted((Text("go on"),))
AGAIN = Recalled("word for word", (1,))


def log(*events: Event) -> list[Entry]:
    return [Entry(n, 0.0, 0, event) for n, event in enumerate(events, 1)]


@pytest.mark.parametrize(
    ("events", "alive"),
    [
        ((SAID, SAID, Rewound(1), SAID), [1, 4]),
        ((SAID, SAID, SAID, Rewound(1), Rewound(2), SAID), [1, 6]),  # the first still holds
        ((SAID, TaskEnded(), Titled("fold"), Reverted(3, 2, after=0), SAID), [1, 4, 5]),
        ((SAID, Titled("fold"), AGAIN, SAID, Reverted(2, None, after=0), AGAIN), [1, 4, 5, 6]),
        ((AGAIN, Titled("fold"), Reverted(2, None, after=0)), [1, 3]),
        ((SAID, Titled("fold"), Reverted(2, None, after=0), Rewound(2)), [1, 2]),
    ],
    ids=[
        "a rewind takes what follows",
        "what a rewind took a later one does not bring back",
        "a revert takes the fold and the end of its task",
        "what was recalled since a fold that is reverted",
        "what was recalled before it stays",
        "a revert that is rewound has undone nothing",
    ],
)
def test_an_entry_counts_that_nothing_has_undone(
    events: tuple[Event, ...], alive: list[int]
) -> None:
    entries, grown = log(*events), Survivors()
    for end in range(1, len(entries) + 1):
        grown.add(entries[:end])
    assert [entry.id for entry in surviving(entries)] == alive
    assert grown.entries == Survivors(entries).entries == surviving(entries)


def test_who_needs_the_latest_looks_no_further_back() -> None:
    class Looked(list[Entry]):
        deepest = 9

        def __reversed__(self):
            for entry in super().__reversed__():
                self.deepest = min(self.deepest, entry.id)
                yield entry

    entries = Looked(log(*[SAID] * 9))
    assert next(newest_first(entries)).id == 9
    assert entries.deepest == 9
