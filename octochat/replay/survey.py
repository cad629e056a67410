"""The first pass over the recordings: which words and names so many have that they tell nothing.

What is counted is added up recording by recording; the recordings themselves are not kept.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from octochat.context.notes.identifiers import identifiers
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.replay.lexicon import Lexicon, texts
from octochat.replay.rare_words import words
from octochat.replay.recall import uses

RARE = 0.05
"""Share of the recordings in which a rare word stands at the most (two may always)."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What one recording has."""

    words: frozenset[str]
    """All that are written in it."""
    names: frozenset[str]
    """The identifiers that its agent used again."""


@dataclass(frozen=True, slots=True)
class Common:
    """What does not count when a strategy is measured."""

    words: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


NOTHING = Common()
"""Where there are too few recordings to tell."""


@dataclass(slots=True)
class Survey:
    """In how many recordings each word and each name stands."""

    recordings: int = 0
    _words: Counter[str] = field(default_factory=Counter[str])
    _names: Counter[str] = field(default_factory=Counter[str])

    def take(self, vocabulary: Vocabulary) -> None:
        """One more recording."""
        self.recordings += 1
        self._words.update(vocabulary.words)
        self._names.update(vocabulary.names)

    def common(self) -> Common:
        """Words in more than a twentieth of the recordings, and names used again in a tenth."""
        most = max(2.0, RARE * self.recordings)
        enough = max(3.0, self.recordings / 10)
        return Common(
            frozenset(word for word, n in self._words.items() if n > most),
            frozenset(name for name, n in self._names.items() if n >= enough),
        )


def surveyed(entries: Iterable[Entry]) -> Vocabulary:
    """The vocabulary of a recording."""
    entries = tuple(entries)
    found: set[str] = set()
    for entry in entries:
        match entry.event:
            case Prompted(blocks=blocks) | Replied(blocks=blocks) | Returned(content=blocks):
                found.update(words("\n".join(texts(blocks))))
            case _:
                pass
    names = frozenset(use.name.text for use in uses(entries, Lexicon(identifiers)))
    return Vocabulary(frozenset(found), names)
