"""What a command has to say: Markdown that octochat itself wrote."""

from collections.abc import Sequence

from octochat.terminal import harmless
from octochat.tui.cards.card import Card, Page
from octochat.tui.markdown import markdown
from octochat.tui.page import Block, styled


class ReportCard(Card):
    """A page of facts, set off by a bar."""

    def __init__(self, at: float, source: str) -> None:
        super().__init__(at)
        self._source = source

    def blocks(self, page: Page) -> Sequence[Block]:
        bar = styled(("│ ", "$text-accent 60%"))
        return [
            Block(
                x.text,
                lead=bar + x.lead,
                hang=bar + x.hang,
                right=x.right,
                fill=x.fill,
                wrap=x.wrap,
                action=x.action,
                value=x.value,
            )
            for x in markdown(harmless(self._source), page.width - 2)
        ]

    def text(self) -> str:
        return self._source
