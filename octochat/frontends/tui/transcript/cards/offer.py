"""Offers: what there is, and what to type. A click puts that into the input."""

from collections.abc import Sequence

from octochat.frontends.tui.render.blocks import Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.text.harmless import harmless

WARNING = "$text-warning"


class OfferCard(Card):
    """One line: what could be done, and what does it."""

    tight = True

    def __init__(self, at: float, said: str, typed: str, rest: str, *, command: str = "") -> None:
        """Make one.

        Args:
            at: seconds since the epoch.
            said: stands before what is to be typed; may be empty.
            typed: what is to be typed.
            rest: stands after it.
            command: what a click puts into the input; what is to be typed, if empty.
        """
        super().__init__(at)
        self._said = harmless(said)
        self._typed = typed
        self._rest = rest
        self._command = command or typed

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        return [
            Block(
                styled(
                    (f"{self._said} " if self._said else "", WARNING),
                    (self._typed, "$text-primary"),
                    (f" {self._rest}", WARNING),
                ),
                lead=styled(("! ", WARNING)),
                hang=styled("  "),
                action="try",
                value=self._command,
            )
        ]

    def text(self) -> str:
        return f"{self._said} {self._typed} {self._rest}".strip()


class WaysCard(Card):
    """A question and what may be answered, one answer a row."""

    def __init__(self, at: float, question: str, ways: Sequence[tuple[str, str]]) -> None:
        """`ways`: what is to be typed, and what it means."""
        super().__init__(at)
        self._question = question
        self._ways = ways

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        asked = Block(styled((self._question, WARNING)), styled(("! ", WARNING)), styled("  "))
        return [asked, *(self._row(typed, means) for typed, means in self._ways)]

    def _row(self, typed: str, means: str) -> Block:
        key = styled("  ", (typed, "$text-primary bold"), "  ")
        hang = styled(" " * len(key.plain))
        return Block(styled(means), key, hang, action="try", value=typed)

    def text(self) -> str:
        return "\n".join((self._question, *(f"{typed} {means}" for typed, means in self._ways)))
