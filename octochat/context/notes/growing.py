"""Reads a session that grows: the entries that were read before are not read again.

A note is written from the originals of all that it stands for, and so is the next one, which stands
for the same and a little more.
"""

from collections.abc import Callable, Sequence
from operator import is_
from typing import Generic, TypeVar

from octochat.context.session.events import Entry

T = TypeVar("T")


class Growing(Generic[T]):
    """What entries lead to, taken in one by one: gone on with where the same ones come with more.

    Where they are others it is worked out anew, so it never matters what was asked before.
    """

    def __init__(self, begin: Callable[[], T], add: Callable[[T, int, Entry], object]) -> None:
        """Nothing is read yet.

        Arguments:
            begin: makes what no entries lead to.
            add: takes an entry into that, given its place: 0 for the first.
        """
        self._begin: Callable[[], T] = begin
        self._add: Callable[[T, int, Entry], object] = add
        self._last: tuple[list[Entry], T] | None = None

    def over(self, entries: Sequence[Entry]) -> T:
        """What these entries lead to; not to be changed, and good until the next call."""
        last, self._last = self._last, None
        known = last and len(last[0]) <= len(entries) and all(map(is_, last[0], entries))
        read, found = last if last and known else (list[Entry](), self._begin())
        for place, entry in enumerate(entries[len(read) :], len(read)):
            self._add(found, place, entry)
        read.extend(entries[len(read) :])
        self._last = read, found
        return found
