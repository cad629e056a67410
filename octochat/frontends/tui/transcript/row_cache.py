"""Which rows of which cards stand in the view, and the drawn cards that are kept at hand."""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from re import Pattern

from octochat.frontends.tui.render.blocks import Block, Row, break_rows
from octochat.frontends.tui.transcript.cards.card import Card, Page

KEPT = 200
"""Drawn cards that are kept; the others are drawn again when they are scrolled to."""
FOUND = "on $warning 30%"
HERE = "bold $background on $warning"


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One line of the view."""

    card: Card
    row: Row | None
    """None for the empty line above a card."""
    focused: bool
    """The cursor stands on its card."""

    def same(self, other: "ViewRow") -> bool:
        """Whether both look the same."""
        if self.focused != other.focused or self.card.index != other.card.index:
            return False
        if self.row is None or other.row is None:
            return self.row is other.row
        return self.row.same(other.row)


class DrawnCard:
    """Cards broken into rows, the last few hundred of them."""

    def __init__(self) -> None:
        self._rows: OrderedDict[Card, list[Row]] = OrderedDict()
        self.found: Pattern[str] | None = None
        """What is searched for, and marked wherever it stands."""
        self.here: tuple[Card, int] | None = None
        """The match that is looked at: its card, and which one of that card it is, from 0."""

    def rows(self, card: Card, page: Page) -> Sequence[Row]:
        """A card's rows."""
        rows = self._rows.get(card)
        if rows is None:
            rows = self._rows[card] = break_rows(self._blocks(card, page), page.width)
            if len(self._rows) > KEPT:
                self._rows.popitem(last=False)
        else:
            self._rows.move_to_end(card)
        return rows

    def found_rows(self, card: Card, page: Page) -> list[int]:
        """The row in which each match begins; it may go on in the next one."""
        if self.found is None:
            return []
        places: list[tuple[int, int]] = []
        line = 0
        for block in card.blocks(page):
            text = block.text.plain
            for match in self.found.finditer(text):
                before = text[: match.start()]
                column = len(before) - (before.rfind("\n") + 1)
                places.append((line + before.count("\n"), column))
            line += text.count("\n") + 1
        begins = [(row.line, row.start) for row in self.rows(card, page)]
        return [max(bisect_right(begins, place) - 1, 0) for place in places]

    def forget(self, card: Card) -> None:
        """A card looks different now."""
        self._rows.pop(card, None)

    def clear(self) -> None:
        """The width, the theme or the search has changed."""
        self._rows.clear()

    def _blocks(self, card: Card, page: Page) -> Sequence[Block]:
        blocks = card.blocks(page)
        if self.found is None:
            return blocks
        marked: list[Block] = []
        number = 0
        for block in blocks:
            text = block.text
            for match in self.found.finditer(text.plain):
                style = HERE if self.here == (card, number) else FOUND
                text = text.stylize(style, *match.span())
                number += 1
            marked.append(replace(block, text=text))
        return marked


def space_above(card: Card, before: Card | None) -> int:
    """Empty lines between two cards."""
    if before is None or card.close:
        return 0
    return 0 if card.tight and type(card) is type(before) and not before.tall else 1
