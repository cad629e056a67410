"""How a line of code breaks into rows: no word in two that would fit on a row, nothing left out."""

import re
from collections.abc import Iterator

from rich.cells import cell_len
from textual.content import Content

_SIGNS = r"[^\w\s,;:)\]}\u2e80-\U0010ffff]{0,3}"
_WORD = r"[^\W\u2e80-\U0010ffff]+"
_PIECE = re.compile(rf"{_SIGNS}{_WORD}|[\s\S]")
"""A name or a number with the signs that open it, or one sign; each sign of a script that has no
blanks between words."""


def folded(text: Content, room: int) -> list[Content]:
    """Rows of at most `room` cells; only a word that is longer than a row is broken."""
    return list(text.divide(list(_ends(text.plain, room))))


def _ends(line: str, room: int) -> Iterator[int]:
    """Where each row but the last ends, in characters."""
    begun, used = 0, 0
    for piece in _PIECE.finditer(line):
        width = cell_len(piece[0])
        if used + width <= room:
            used += width
        elif width <= room and line[begun : piece.start()].strip():
            yield (begun := piece.start())
            used = width
        else:
            for at, sign in enumerate(piece[0], piece.start()):
                if used + (width := cell_len(sign)) > room and at > begun:
                    yield (begun := at)
                    used = 0
                used += width
