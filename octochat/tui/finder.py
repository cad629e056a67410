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
        transcript.drawn.here = None
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
        number = min(match.number, len(rows) - 1)
        self._mark(card, number)
        transcript.point_at(card)
        transcript.reveal(card.index, rows[number] if rows else 0)

    def _mark(self, card: Card, number: int) -> None:
        """Make this match stand out among the others."""
        drawn = self._transcript.drawn
        if drawn.here is not None:
            drawn.forget(drawn.here[0])
        drawn.here = (card, number)
        drawn.forget(card)

    def _rows(self, card: Card) -> list[int]:
        """The row of each place where the text stands, as it is drawn now."""
        transcript = self._transcript
        found = transcript.drawn.found
        rows = transcript.drawn.rows(card, transcript.page)
        if found is None:
            return []
        return [n for n, row in enumerate(rows) for _ in found.finditer(row.text.plain)]
