"""The index where Python's SQLite has no full-text search: BM25 in memory, for one session."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from octochat.context.session.events import Entry
from octochat.memory.passages import Passage, passages
from octochat.memory.query import Query
from octochat.memory.searching import Hit, Scope, fits

SATURATION = 1.2
"""How soon a word that is said again counts no more (BM25's k1)."""
LENGTH = 0.75
"""How much a long passage is held against it (BM25's b)."""

_WORD = re.compile(r"[^\W_]+")
_ENDINGS = ("ingly", "edly", "ing", "ies", "ied", "ed", "es", "ly", "s")
_ROOT = 3
"""Letters that are left of a word, at least."""


class PlainIndex:
    """Passages and where each word stands in them."""

    def __init__(self) -> None:
        self.stamp: str = ""
        """That of the file which was last taken in."""
        self._passages: list[Passage] = []
        self._counts: list[Counter[str]] = []
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        self._words: int = 0
        """Of all passages."""
        self._done: int = 0
        """Entries of the log that are taken in."""

    def update(self, log: Sequence[Entry], stamp: str = "") -> None:
        """Take in what has come to the log since the last time."""
        self.stamp = stamp
        self.add(passages(log[self._done :], log[: self._done]))
        self._done = len(log)

    def add(self, found: Iterable[Passage]) -> None:
        """Take in some passages."""
        for passage in found:
            words = Counter(stems(passage.text))
            for word in words:
                self._places[word].append(len(self._passages))
            self._passages.append(passage)
            self._counts.append(words)
            self._words += words.total()

    def search(self, query: Query, scope: Scope) -> Iterator[Hit]:
        """What answers the query, the best first."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in set(stems(" ".join((*query.words, *query.phrases)))):
            for place in self._places.get(word, ()):
                scores[place] += self._score(word, place)
        for place, score in sorted(scores.items(), key=lambda each: (-each[1], each[0])):
            if score >= scope.least and fits(self._passages[place], query, scope):
                yield Hit(self._passages[place], place, score)

    @property
    def passages(self) -> int:
        """How many there are."""
        return len(self._passages)

    def close(self) -> None:
        """Nothing is held."""

    def _score(self, word: str, place: int) -> float:
        known, among = len(self._places[word]), len(self._passages)
        tells = _weight(among, known) / _weight(among, 1)
        often = self._counts[place][word]
        length = 1 - LENGTH + LENGTH * self._counts[place].total() * among / self._words
        return tells * often * (SATURATION + 1) / (often + SATURATION * length)


def _weight(passages: int, known: int) -> float:
    """What a word tells that so many of the passages have (BM25's inverse document frequency)."""
    return math.log(1 + (passages - known + 0.5) / (known + 0.5))


def stems(text: str) -> Iterator[str]:
    """The words of a text without their endings."""
    for word in _WORD.findall(text.lower()):
        ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _ROOT), "")
        yield word.removesuffix(ending)
