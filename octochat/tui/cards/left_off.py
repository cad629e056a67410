"""The offer to go on with a session that a crash or a kill has ended."""

from collections.abc import Sequence

from octochat.figures import ago
from octochat.left_off import offer
from octochat.sessions import SessionSummary
from octochat.terminal import harmless
from octochat.tui.cards.card import Card, Page
from octochat.tui.page import Block, styled


class LeftOffCard(Card):
    """One line; a click puts the command that goes on into the input."""

    tight = True

    def __init__(self, at: float, found: SessionSummary) -> None:
        super().__init__(at)
        self._found = found

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        command = f"/resume {self._found.id}"
        words = styled((f"{self._said()}: ", "$text-warning"), (command, "$text-primary"))
        more = styled((" or octochat -c goes on", "$text-warning"))
        return [
            Block(
                words + more,
                lead=styled(("! ", "$text-warning")),
                hang=styled("  "),
                action="try",
                value=command,
            )
        ]

    def text(self) -> str:
        return f"{self._said()}: /resume {self._found.id} or octochat -c goes on"

    def _said(self) -> str:
        return harmless(offer(self._found, ago(self._found.updated, self.at)))
