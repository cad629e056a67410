"""An offer: what there is, and what to type. A click puts the command for it into the input."""

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
