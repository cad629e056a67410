"""Going from match to match in the transcript, opening what is folded around one."""

from octochat.tui.cards.card import Card
from octochat.tui.search import Match, matches, pattern_of
from octochat.tui.transcript import Transcript


class Finder:
    """A search in a transcript; the newest match comes first."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._matches: list[Match] = []
        self._place = 0

    @property
    def standing(self) -> tuple[int, int]:
        """Which match is looked at, counted from 1, and how many there are."""
        return (self._place + 1 if self._matches else 0, len(self._matches))

    def look(self, text: str) -> None:
        """Find a text and go to the last place where it stands; empty text ends the search."""
        transcript = self._transcript
        transcript.drawn.found = pattern = pattern_of(text)
        transcript.drawn.clear()
        self._matches = matches(transcript.cards, pattern, text) if pattern else []
        self._place = len(self._matches) - 1
        if self._matches:
            self._go()
        else:
            transcript.settle()

    def step(self, by: int) -> None:
        """Go to the match before or after, round and round."""
        if self._matches:
            self._place = (self._place + by) % len(self._matches)
            self._go()

    def _go(self) -> None:
        match = self._matches[self._place]
        card, transcript = match.card, self._transcript
        if card.hider and card.hidden:
            transcript.open_card(card.hider)
        rows = self._rows(card)
        if not rows and card.foldable:
            transcript.open_card(card)
            rows = self._rows(card)
        if len(rows) <= match.number and card.opened:
            transcript.show_whole(card)
            rows = self._rows(card)
        row = rows[min(match.number, len(rows) - 1)] if rows else 0
        transcript.point_at(card)
        transcript.reveal(card.index, row)

    def _rows(self, card: Card) -> list[int]:
        """The rows in which the text stands, as they are drawn now."""
        transcript = self._transcript
        found = transcript.drawn.found
        rows = transcript.drawn.rows(card, transcript.page)
        return [n for n, row in enumerate(rows) if found and found.search(row.text.plain)]
