"""What a command has to say: lines whose columns are aligned with spaces."""

from collections.abc import Sequence

from textual.content import Content

from octochat.terminal import harmless
from octochat.tui.cards.card import Card, Page
from octochat.tui.page import Block, styled


class ReportCard(Card):
    """A page of facts, set off by a bar."""

    def __init__(self, at: float, source: str) -> None:
        super().__init__(at)
        self._source = source

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        bar = styled(("│ ", "$text-accent 60%"))
        return [Block(Content(harmless(self._source)), lead=bar, hang=bar)]

    def text(self) -> str:
        return self._source
