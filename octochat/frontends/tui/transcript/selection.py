"""The text under a selection that reaches over cards."""

from collections.abc import Sequence

from textual.selection import Selection

from octochat.frontends.tui.render.strips import CARD_LINES
from octochat.frontends.tui.transcript.cards.card import Card, Page


def selected(cards: Sequence[Card], page: Page, selection: Selection) -> str:
    """The selected text: lines as they were written, not as they are wrapped."""
    first = selection.start.y // CARD_LINES if selection.start else 0
    last = selection.end.y // CARD_LINES if selection.end else len(cards) - 1
    parts = [_part(card, page, selection) for card in cards[first : last + 1] if not card.hidden]
    return "\n\n".join(part for part in parts if part)


def _part(card: Card, page: Page, selection: Selection) -> str:
    lines = "\n".join(block.text.plain for block in card.blocks(page)).split("\n")
    taken: list[str] = []
    for number, line in enumerate(lines):
        span = selection.get_span(card.index * CARD_LINES + number)
        if span is not None:
            taken.append(line[span[0] :] if span[1] < 0 else line[span[0] : span[1]])
    return "\n".join(taken).strip("\n")
