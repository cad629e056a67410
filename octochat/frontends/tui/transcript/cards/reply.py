"""What the model said."""

from collections.abc import Sequence

from octochat.context.session.events import EntryId
from octochat.frontends.tui.render.blocks import Block
from octochat.frontends.tui.render.markdown import LiveMarkdown, markdown
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.text.harmless import harmless


class ReplyCard(Card):
    """A whole answer, as Markdown."""

    def __init__(self, at: float, text: str, entry: EntryId | None = None) -> None:
        super().__init__(at, entry)
        self._text = text

    def blocks(self, page: Page) -> Sequence[Block]:
        return markdown(harmless(self._text), page.width)

    def text(self) -> str:
        return self._text

    def guess(self, width: int) -> int:
        return 2 + self._text.count("\n") + len(self._text) // (2 * width)


class LiveReplyCard(Card):
    """An answer that is still being written."""

    def __init__(self, at: float) -> None:
        super().__init__(at)
        self._text = LiveMarkdown()

    def write(self, piece: str) -> None:
        """Add what has just come."""
        self._text.write(harmless(piece))

    def blocks(self, page: Page) -> Sequence[Block]:
        return self._text.blocks(page.width)

    def text(self) -> str:
        return self._text.source
