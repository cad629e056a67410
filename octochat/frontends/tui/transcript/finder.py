"""Going from match to match in the transcript, opening what is folded around one, and back."""

from collections.abc import Collection
from dataclasses import dataclass

from octochat.frontends.tui.transcript.cards.card import Card
from octochat.frontends.tui.transcript.pager import Place
from octochat.frontends.tui.transcript.search import Match, matches, pattern_of
from octochat.frontends.tui.transcript.transcript import Transcript


@dataclass(frozen=True, slots=True)
class _Folded:
    """How a card stood before the search opened it."""

    opened: bool
    whole: bool


class Finder:
    """A search in a transcript; the newest match comes first."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._matches: list[Match] = []
        self._place = 0
        self._text = ""
        self._from: Place | None = None
        """Where the person was when the search began."""
        self._folded: dict[Card, _Folded] = {}

    @property
    def standing(self) -> tuple[int, int]:
        """Which match is looked at, counted from 1, and how many there are."""
        return (self._place + 1 if self._matches else 0, len(self._matches))

    def look(self, text: str) -> None:
        """Find a text and go to the last place where it stands; empty text goes back."""
        transcript = self._transcript
        self._from = self._from or transcript.standing
        self._fold()
        self._text = text
        transcript.drawn.found = pattern = pattern_of(text)
        transcript.drawn.here = None
        transcript.drawn.clear()
        self._matches = matches(transcript.cards, pattern, text) if pattern else []
        self._place = len(self._matches) - 1
        if self._matches:
            self._go()
        else:
            transcript.stand(self._from)

    def step(self, by: int) -> None:
        """Go to the match before or after, round and round."""
        if self._matches:
            self._place = (self._place + by) % len(self._matches)
            self._go()

    def leave(self) -> None:
        """End the search: what it opened is folded again, and the view is where it was."""
        self.look("")
        self._from = None

    def stay(self) -> None:
        """End the search at the match that is looked at, which stays open."""
        card = self._matches[self._place].card if self._matches else None
        here = self._transcript.standing
        self._fold({card, card.hider} if card else ())
        self._from = here
        self.leave()
        if card:
            self._transcript.point_at(card)

    def forget(self) -> None:
        """Another session is shown."""
        self._from, self._matches = None, []
        self._folded.clear()
        self._transcript.drawn.found = self._transcript.drawn.here = None

    def _go(self) -> None:
        match = self._matches[self._place]
        card, transcript = match.card, self._transcript
        if card.index >= len(transcript.cards) or transcript.cards[card.index] is not card:
            self.look(self._text)  # an answer that was being written has ended
            return
        if card.hider and card.hidden:
            self._open(card.hider)
        rows = self._rows(card)
        if not rows and card.foldable:
            self._open(card)
            rows = self._rows(card)
        if len(rows) <= match.number and card.opened:
            self._keep(card)
            transcript.show_whole(card)
            rows = self._rows(card)
        number = min(match.number, len(rows) - 1)
        self._mark(card, number)
        transcript.point_at(card)
        transcript.reveal(card.index, rows[number] if rows else 0)

    def _open(self, card: Card) -> None:
        self._keep(card)
        self._transcript.open_card(card)

    def _keep(self, card: Card) -> None:
        self._folded.setdefault(card, _Folded(card.opened, card.whole))

    def _fold(self, kept: Collection[Card | None] = ()) -> None:
        """Fold what the search has opened, but for the cards that are `kept`."""
        shown = self._transcript
        for card, before in self._folded.items():
            if card not in kept:
                card.opened, card.whole = before.opened, before.whole
                shown.model.touched |= {card, *(c for c in shown.cards if c.hider is card)}
        if self._folded:
            self._folded.clear()
            shown.update()

    def _mark(self, card: Card, number: int) -> None:
        """Make this match stand out among the others."""
        drawn = self._transcript.drawn
        if drawn.here is not None:
            drawn.forget(drawn.here[0])
        drawn.here = (card, number)
        drawn.forget(card)

    def _rows(self, card: Card) -> list[int]:
        """The row of each place where the text begins, as it is drawn now."""
        return self._transcript.drawn.found_rows(card, self._transcript.page)
