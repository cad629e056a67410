"""What a view shows, counted, and kept up to date as the view changes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from octochat.context.session.content import Block
from octochat.context.session.view import Note, Units
from octochat.replay.lexicon import passages, texts


@dataclass(slots=True)
class VisibleWords:
    """The words or names that a view shows."""

    stand_in: Callable[[tuple[Block, ...]], Iterable[str]]
    """What stands in a tuple of blocks, each once."""
    _units: Units = ()
    _count: Counter[str] = field(default_factory=Counter[str])
    _notes: tuple[str, ...] = ()
    """The texts of the notes among the units."""

    def look(self, units: Units) -> None:
        """Take these units as what is shown now."""
        start = _alike(self._units, units)
        rest, now = self._units[start:], units[start:]
        end = _alike(rest[::-1], now[::-1])
        for words in self._shown(rest[: len(rest) - end]):
            for word in words:
                self._count[word] -= 1
        for words in self._shown(now[: len(now) - end]):
            self._count.update(words)
        self._units = units
        notes = (unit for unit in units if isinstance(unit, Note))
        self._notes = tuple("\n".join(texts(note.blocks)) for note in notes)

    def shows(self, text: str) -> bool:
        """Whether a unit shows it."""
        return self._count[text] > 0

    def holds(self, text: str) -> bool:
        """Whether a unit shows it, or a note has it in its text as a whole word."""
        return self.shows(text) or any(_stands_in(text, note) for note in self._notes)

    def _shown(self, units: Units) -> Iterator[Iterable[str]]:
        for unit in units:
            yield from map(self.stand_in, passages(unit))


def _stands_in(text: str, whole: str) -> bool:
    start = whole.find(text)
    while start >= 0:
        end = start + len(text)
        before, after = whole[start - 1 : start], whole[end : end + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        start = whole.find(text, start + 1)
    return False


def _alike(one: Units, other: Units) -> int:
    """How many units both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a is not b), min(len(one), len(other)))
