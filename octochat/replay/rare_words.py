"""Rare words that the recorded agent writes again: how many of them stand in its context then.

Unlike identifiers, nothing harvests these, so no note is made to have them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from octochat.context.session.events import Entry, Opened, Prompted, Replied, Returned
from octochat.context.session.view import Units
from octochat.replay.fork import forked
from octochat.replay.lexicon import Lexicon
from octochat.replay.recall import FAR
from octochat.replay.visible_words import VisibleWords

_WORD = re.compile(r"[^\W\d_]\w{4,}|\d[\d.,:]{2,}\d")
"""At least five letters and digits, or four of a number."""


def words(text: str) -> Iterator[str]:
    """The words of a text that could be rare, in lower case."""
    return map(str.lower, _WORD.findall(text))


@dataclass(frozen=True, slots=True)
class Reused:
    """What the agent writes again in one reply."""

    far: tuple[str, ...] = ()
    """Last seen more than `FAR` units ago."""
    near: tuple[str, ...] = ()


def reused(
    entries: Iterable[Entry], lexicon: Lexicon[str], common: frozenset[str]
) -> Mapping[int, Reused]:
    """What is written again in the reply to each call, counted from 0.

    What the system prompt says is left out: it can't be lost. So is what is `common`.
    """
    always, seen = common, dict[str, int]()
    unit, call = 0, 0
    found: dict[int, Reused] = {}
    for entry in entries:
        match entry.event:
            case Opened(system=system):
                always = common | frozenset(words(system))
            case Prompted(blocks=blocks):
                unit += 1
                seen |= dict.fromkeys(lexicon.of(blocks), unit)
            case Replied(blocks=blocks):
                unit += 1
                again = sorted(w for w in lexicon.of(blocks) if w in seen and w not in always)
                far = tuple(w for w in again if unit - seen[w] > FAR)
                found[call] = Reused(far, tuple(w for w in again if unit - seen[w] <= FAR))
                seen |= dict.fromkeys(lexicon.of(blocks), unit)
                call += 1
            case Returned(content=content):
                seen |= dict.fromkeys(lexicon.of(content), unit)
            case _:
                pass
    return found


@dataclass(frozen=True, slots=True)
class ShownCount:
    """Of some things that were looked for in the context, how many stood there."""

    count: int = 0
    present: int = 0

    def __add__(self, other: "ShownCount") -> "ShownCount":
        return ShownCount(self.count + other.count, self.present + other.present)

    @property
    def share(self) -> float | None:
        """The part that stood there; None where nothing was looked for."""
        return self.present / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class RareWords:
    """The rare words of one recording, the same for every pipeline."""

    due: Mapping[int, Reused]
    """By call, counted from 0."""
    lexicon: Lexicon[str]
    """Finds those of them that are ever due."""

    @classmethod
    def of(cls, entries: Sequence[Entry], common: frozenset[str]) -> "RareWords":
        """Find them; `common` words are none."""
        due = reused(entries, Lexicon(words), common)
        needed = frozenset(w for again in due.values() for w in (*again.far, *again.near))
        return cls(due, Lexicon(lambda text: needed.intersection(words(text))))

    def watch(self) -> "VisibleRareWords":
        """A look at each call of one play."""
        return VisibleRareWords(self, VisibleWords(self.lexicon.of))


@dataclass(slots=True)
class VisibleRareWords:
    """How many of the rare words stood in the context when they were written again."""

    words: RareWords
    sight: VisibleWords
    seen: defaultdict[str, ShownCount] = field(default_factory=lambda: defaultdict(ShownCount))
    """By `far` and `near`."""

    def branch(self) -> "VisibleRareWords":
        """The same look, to go on by itself."""
        branch = forked(self)
        branch.sight = forked(self.sight)
        return branch

    def look(self, call: int, units: Units) -> None:
        """Count what is due at this call."""
        due = self.words.due.get(call, Reused())
        if due != Reused():
            self.sight.look(units)
            for name, again in (("far", due.far), ("near", due.near)):
                self.seen[name] += ShownCount(len(again), sum(map(self.sight.shows, again)))
