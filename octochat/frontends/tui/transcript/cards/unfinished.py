"""An offer to go on with what was cut off. A click puts the command for it into the input."""

from collections.abc import Sequence

from octochat.frontends.tui.render.blocks import Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.text.harmless import harmless

WARNING = "$text-warning"


class UnfinishedCard(Card):
    """One line: what was cut off, and the command that goes on with it."""

    tight = True

    def __init__(self, at: float, said: str, command: str, rest: str) -> None:
        """`said` goes before the command, `rest` after it."""
        super().__init__(at)
        self._said = harmless(said)
        self._command = command
        self._rest = rest

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        return [
            Block(
                styled(
                    (f"{self._said}: ", WARNING),
                    (self._command, "$text-primary"),
                    (f" {self._rest}", WARNING),
                ),
                lead=styled(("! ", WARNING)),
                hang=styled("  "),
                action="try",
                value=self._command,
            )
        ]

    def text(self) -> str:
        return f"{self._said}: {self._command} {self._rest}"
