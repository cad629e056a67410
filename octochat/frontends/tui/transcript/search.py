"""Where a text occurs in the transcript, what is folded included. It knows nothing of widgets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from octochat.frontends.tui.transcript.cards.card import Card

_GAP = r"[*_`~]*\s+[*_`~]*"
"""Between words: blanks or a line break, and the marks of Markdown, which are not shown."""


@dataclass(frozen=True, slots=True)
class Match:
    """One place where the text stands."""

    card: Card
    number: int
    """Which of the card's matches it is, counted from 0."""


def pattern_of(text: str) -> re.Pattern[str] | None:
    """What is looked for: the words as they are, small or capital, over the ends of lines.

    None for nothing.
    """
    words = text.split()
    return re.compile(_GAP.join(map(re.escape, words)), re.IGNORECASE) if words else None


def matches(cards: Sequence[Card], pattern: re.Pattern[str], text: str) -> list[Match]:
    """All places, oldest first."""
    rarest = max(text.lower().split(), key=len)
    return [
        Match(card, number)
        for card in cards
        if rarest in (whole := card.text()).lower()
        for number, _ in enumerate(pattern.finditer(whole))
    ]
