"""A search that many share: what one asks, the others need not ask again."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import tee

from octochat.context.session.events import Entry
from octochat.memory.query import Query
from octochat.memory.searching import Hit, Scope, Searchable, fits


@dataclass(slots=True)
class SharedSearch:
    """An index that remembers its answers until something is added to it."""

    index: Searchable
    _length: int = 0
    """Entries of the log that it was brought up to."""
    _passages: int = 0
    _found: dict[Query, Iterator[Hit]] = field(default_factory=dict[Query, Iterator[Hit]])
    """What answers each query, at its start; as much was looked up as somebody wanted."""

    def update(self, log: Sequence[Entry], stamp: str = "") -> None:
        """Take in what has come to the log."""
        if len(log) != self._length:
            self.index.update(log, stamp)
            self._length, self._passages = len(log), self.index.passages
            self._found.clear()

    def search(self, query: Query, scope: Scope) -> Iterator[Hit]:
        """What answers the query, the best first."""
        if query not in self._found:
            (self._found[query],) = tee(self.index.search(query, Scope()), 1)
        return (hit for hit in copy(self._found[query]) if fits(hit.passage, query, scope))

    @property
    def passages(self) -> int:
        """How many there are."""
        return self._passages

    def close(self) -> None:
        """Give back what is held."""
        self.index.close()
