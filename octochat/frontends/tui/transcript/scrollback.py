"""What stays in the terminal after the app: the end of the transcript, as plain lines."""

from collections.abc import Sequence

from octochat.frontends.tui.render.blocks import Row, break_rows
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.frontends.tui.transcript.cards.welcome import WelcomeCard
from octochat.frontends.tui.transcript.row_cache import space_above

LINES = 200
"""Lines that stay, at most."""


def scrollback_text(cards: Sequence[Card], page: Page) -> str:
    """The last lines of the cards as the screen showed them, without colours."""
    lines: list[str] = []
    shown = [card for card in cards if not card.hidden and not isinstance(card, WelcomeCard)]
    for place in range(len(shown) - 1, -1, -1):
        card, before = shown[place], shown[place - 1] if place else None
        rows = [_line(row, page.width) for row in break_rows(card.blocks(page), page.width)]
        lines[:0] = [*[""] * space_above(card, before), *rows]
        if len(lines) >= LINES:
            break
    return "".join(f"{line}\n" for line in lines[-LINES:])


def _line(row: Row, width: int) -> str:
    left = (row.block.lead if row.first else row.block.hang) + row.text
    right = row.block.right if row.first else None
    if right is None or not right.plain.strip("▸▾ "):
        return left.plain.rstrip()
    space = max(width - left.cell_length - right.cell_length, 2)
    return f"{left.plain}{' ' * space}{right.plain}".rstrip("▸▾ ")
