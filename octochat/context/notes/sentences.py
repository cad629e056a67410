"""Prose into passages: sentences, each together with those that lean on it."""

import re
from collections.abc import Iterator
from functools import lru_cache

SHORTEST = 24
"""Characters below which a sentence says nothing on its own."""
LONGEST = 420
"""Characters of a passage."""
_SPACES = 3
"""Fewer spaces than that, and it is no sentence."""

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*+>]|\d+[.)]|#+)\s+|\*\*|__")
_END = re.compile(r"(?<=[.!?])[\"')\]]?\s+(?=[A-Z\"'`(\[#\d])")
_LEANS = re.compile(
    r"(?:but|because|so|therefore|however|instead|otherwise|"
    r"since|thus|hence|and so|then|which|it|this|that|these|those|they)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4_096)
def passages(text: str) -> tuple[str, ...]:
    """The passages of a text, each on one line; code, tables and bare headings are left out."""
    return tuple(_passages(text))


def _passages(text: str) -> Iterator[str]:
    for line in _FENCE.sub("", text).split("\n"):
        passage = ""
        if line.lstrip().startswith("|"):
            continue
        for sentence in _END.split(_BULLET.sub("", line)):
            bare = " ".join(sentence.split())
            if passage and _LEANS.match(bare) and len(passage) + len(bare) < LONGEST:
                passage = f"{passage} {bare}"
                continue
            if _says_something(passage):
                yield passage
            passage = bare[:LONGEST]
        if _says_something(passage):
            yield passage


def _says_something(passage: str) -> bool:
    return len(passage) >= SHORTEST and passage.count(" ") >= _SPACES
