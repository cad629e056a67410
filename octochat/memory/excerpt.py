"""A passage on one line, cut to what stands around the words that were looked for. Pure."""

from itertools import chain

from octochat.memory.plain_index import stems
from octochat.memory.query import Query

AROUND = 90
"""Characters shown on either side of what was found."""


def excerpt(text: str, query: Query, around: int = AROUND) -> str:
    """The part of it that holds most of the words, with the first of them in the middle."""
    line = " ".join(text.split())
    places = list(_places(line.casefold(), query))
    near = {at: sum(_close(at, others, around) for others in places) for at in chain(*places)}
    middle = max(near, key=lambda at: (near[at], -at), default=0)
    start, end = max(middle - around, 0), middle + around
    if len(line) <= 2 * around:
        start, end = 0, len(line)
    before, after = "…" if start else "", "…" if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"


def _places(line: str, query: Query) -> list[list[int]]:
    """Where each phrase and each word stands, in any of its forms."""
    phrases = (" ".join(phrase.split()).casefold() for phrase in query.phrases)
    words = (stem for word in query.words for stem in stems(word))
    return [found for wanted in (*phrases, *words) if (found := _all(line, wanted))]


def _all(line: str, wanted: str) -> list[int]:
    found: list[int] = []
    at = line.find(wanted)
    while at >= 0:
        found.append(at)
        at = line.find(wanted, at + 1)
    return found


def _close(at: int, others: list[int], around: int) -> bool:
    return any(abs(other - at) < around for other in others)
