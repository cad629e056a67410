"""Rows as strips of styled cells, in the colours of the theme."""

from collections.abc import Callable
from typing import Any

from rich.segment import Segment
from textual.content import Content
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style

from octochat.frontends.tui.render.blocks import Row, cells

GUTTER = 2
"""Cells left of every card."""
MARGIN = 1
"""Cells right of every card."""
CARD_LINES = 1_000_000
"""A selection's `y` is the card's index times this, plus the line within the card."""


class Painter:
    """Turns rows into strips. Made anew when the theme changes."""

    def __init__(self, base: Style, parse: Callable[[str], Style], selected: Style) -> None:
        self._base = base
        self._parse = parse
        self._selected = selected
        self._styles: dict[str, Style] = {}

    def strip(
        self, row: Row, card: int, width: int, gutter: str, span: tuple[int, int] | None
    ) -> Strip:
        """A row of card number `card`, `width` cells wide; `span` of its line is selected."""
        block = row.block
        ground = self._base + self.style(block.fill) if block.fill else self._base
        lead = block.lead if row.first else block.hang
        text = self._marked(row, span)
        segments = [self._mark(gutter, ground if block.fill else self._base)]
        segments += self._segments(lead, ground)
        x, y = row.start, card * CARD_LINES + row.line
        for piece, style in text.render(ground, end="", parse_style=self.style):
            segments.append(Segment(piece, (ground + style).rich_style_with_offset(x, y)))
            x += len(piece)
        used = GUTTER + cells(lead) + cells(text)
        right = block.right if row.first else None
        room = width - used - MARGIN - (cells(right) if right else 0)
        if right is None or room < 1:
            right, room = None, width - used
        pad = ground.rich_style_with_offset(x, y)
        segments.append(Segment(" " * max(room, 0), pad))
        if right is not None:
            segments += [*self._segments(right, ground), Segment(" " * MARGIN, pad)]
        return Strip(segments).adjust_cell_length(width, ground.rich_style)

    def blank(self, card: int, width: int, gutter: str) -> Strip:
        """An empty row above a card."""
        style = self._base.rich_style_with_offset(0, card * CARD_LINES)
        rest = Segment(" " * (width - GUTTER), style)
        return Strip([self._mark(gutter, self._base), rest], width)

    def style(self, words: str | Style) -> Style:
        """A style by its description; the theme's variables are looked up once."""
        if isinstance(words, Style):
            return words
        style = self._styles.get(words)
        if style is None:
            style = self._styles[words] = self._parse(words)
        return style

    def _mark(self, gutter: str, ground: Style) -> Segment:
        style = ground + self.style("$accent")
        return Segment(gutter.ljust(GUTTER), style.rich_style)

    def _segments(self, text: Content, ground: Style) -> list[Segment]:
        return [
            Segment(piece, (ground + style).rich_style)
            for piece, style in text.render(ground, end="", parse_style=self.style)
        ]

    def _marked(self, row: Row, span: tuple[int, int] | None) -> Content:
        if span is None:
            return row.text
        first, last = span[0] - row.start, span[1] - row.start
        last = len(row.text) if span[1] < 0 else last
        if last <= 0 or first >= len(row.text):
            return row.text
        return row.text.stylize(self._selected, max(first, 0), last)


def selection_on(screen: Screen[Any]) -> Style:
    """How selected text looks. Textual's own reading loses a ground that is not transparent."""
    look = screen.get_component_styles("screen--selection")
    return Style(look.background, look.color)
