"""Where a text occurs in the transcript, what is folded included. It knows nothing of widgets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from octochat.tui.cards.card import Card


@dataclass(frozen=True, slots=True)
class Match:
    """One place where the text stands."""

    card: Card
    number: int
    """Which of the card's matches it is, counted from 0."""


def pattern_of(text: str) -> re.Pattern[str] | None:
    """What is looked for: the text as it is, in small or capital letters; None for nothing."""
    return re.compile(re.escape(text), re.IGNORECASE) if text.strip() else None


def matches(cards: Sequence[Card], pattern: re.Pattern[str], text: str) -> list[Match]:
    """All places, oldest first."""
    small = text.lower()
    return [
        Match(card, number)
        for card in cards
        if small in (whole := card.text()).lower()
        for number, _ in enumerate(pattern.finditer(whole))
    ]
