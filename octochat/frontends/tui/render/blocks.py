"""What a card draws: blocks of styled text, and how they break into rows at a width.

It knows nothing of cards, widgets or themes; styles are names that the theme resolves later.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from textual.content import Content

from octochat.frontends.tui.render.folding import folded

Action: TypeAlias = Literal["", "toggle", "more", "copy", "restore", "try", "hurry"]
"""What a click on a row does to its card."""
Wrap: TypeAlias = Literal["words", "prose", "code", "cut"]

EMPTY = Content("")
FAINT = "$foreground 70%"
"""What stands beside what is said: at least 4.5 to 1 on every ground of both own themes."""
PROSE = 100
"""Cells that a line of prose may take: longer ones are hard to read."""
NARROWEST = 16
"""Cells that a text must have for something to stand at its right."""


@dataclass(frozen=True, slots=True)
class Block:
    """Text that is broken into rows by itself."""

    text: Content
    """One or more lines, without control characters."""
    lead: Content = EMPTY
    """Stands before the first row; decoration, never copied."""
    hang: Content = EMPTY
    """Stands before the following rows; at least as wide as `lead`."""
    right: Content = EMPTY
    """Stands at the right end of the first row, as far as there is room."""
    fill: str = ""
    """Style of the whole width of its rows."""
    wrap: Wrap = "words"
    """Where a long line breaks: at blanks, in prose before it is hard to read, in code at signs too
    and without losing a blank, or it ends with an ellipsis."""
    action: Action = ""
    value: str = ""
    """What the action is about: the text to copy, or to put into the input."""


@dataclass(eq=False, slots=True)
class Row:
    """One line on the screen."""

    text: Content
    block: Block
    line: int
    """Which line of the card's text it is part of, counted from 0."""
    start: int
    """How many characters of that line come before it."""
    first: bool
    """It is its block's first row."""

    def same(self, other: "Row") -> bool:
        """Whether both look the same on the screen."""
        mine, theirs = self.block, other.block
        return self is other or (
            self.first == other.first
            and self.line == other.line
            and self.start == other.start
            and mine.fill == theirs.fill
            and self.text.is_same(other.text)
            and mine.lead.is_same(theirs.lead)
            and mine.hang.is_same(theirs.hang)
            and mine.right.is_same(theirs.right)
        )


def styled(*parts: str | tuple[str, str]) -> Content:
    """Text put together from plain and (text, style) parts. Nothing is read as markup."""
    return Content("").join(
        Content.styled(part[0], part[1]) if isinstance(part, tuple) else Content(part)
        for part in parts
        if part
    )


def cells(text: Content) -> int:
    """How many cells wide a line is."""
    plain = text.plain
    return len(plain) if plain.isascii() else text.cell_length


def fits(block: Block, width: int) -> bool:
    """Whether its text and what stands at the right go on one row, whole."""
    beside = cells(block.right) + 2 if block.right else 0
    return cells(block.lead) + cells(block.text) + beside <= width


def break_rows(blocks: Iterable[Block], width: int) -> list[Row]:
    """The rows of the blocks at a width, in cells."""
    rows: list[Row] = []
    line = 0
    for block in blocks:
        room = _room(block, min(width, PROSE) if block.wrap == "prose" else width)
        rest = max(room - max(cells(block.hang) - cells(block.lead), 0), 4)
        first = True
        for text in _lines(block.text):
            for start, piece in _pieces(text, room if first else rest, rest, block.wrap):
                rows.append(Row(piece, block, line, start, first))
                first = False
            line += 1
    return rows


def _room(block: Block, width: int) -> int:
    """How wide the text may be: what stands at the right keeps its place where there is room."""
    room = max(width - cells(block.lead), 4)
    beside = room - cells(block.right) - 2 if block.right else room
    return beside if beside >= NARROWEST else room


def _lines(text: Content) -> Iterable[Content]:
    return text.split("\n", allow_blank=True) if "\n" in text.plain else (text,)


def _pieces(text: Content, room: int, rest: int, wrap: Wrap) -> Iterable[tuple[int, Content]]:
    """The rows of a line, the first `room` cells wide, the others `rest`."""
    if cells(text) <= room:
        return ((0, text),)
    if wrap == "cut":
        return ((0, text.truncate(room, ellipsis=True)),)
    parts = _broken(text, room, wrap)
    if rest < room and len(parts) > 1:
        _, (start, _), *_ = _with_starts(text.plain, parts)
        parts = [parts[0], *_broken(text[start:], rest, wrap)]
    return _with_starts(text.plain, parts)


def _broken(text: Content, room: int, wrap: Wrap) -> list[Content]:
    return list(folded(text, room) if wrap == "code" else text.wrap(room))


def _with_starts(plain: str, parts: Iterable[Content]) -> Iterable[tuple[int, Content]]:
    """Where in the line each part begins; wrapping drops the spaces at the breaks."""
    start = 0
    for part in parts:
        found = plain.find(part.plain, start)
        start = found if found >= 0 else start
        yield start, part
        start += len(part.plain)
