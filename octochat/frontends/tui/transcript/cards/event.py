"""A line about the session itself, which may open to more: everything that is not talk."""

from collections.abc import Sequence
from dataclasses import replace

from textual.content import Content

from octochat.context.session.events import EntryId
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page, header
from octochat.frontends.tui.transcript.cards.clip import clipped
from octochat.text.harmless import harmless

LINE = "$foreground 30%"


class EventCard(Card):
    """One line: a sign, a few words, and what there is to see behind them."""

    tight = True

    def __init__(
        self,
        at: float,
        words: str,
        *,
        icon: str = "·",
        style: str = FAINT,
        detail: str = "",
        right: str = "",
        entry: EntryId | None = None,
    ) -> None:
        super().__init__(at, entry)
        self.foldable = bool(detail)
        self.words = words
        self.detail = detail
        self._icon = icon
        self._style = style
        self._right = right

    def blocks(self, page: Page) -> Sequence[Block]:
        right = self._beside(page)
        opened = self.opened if self.detail else None
        words = styled((harmless(self.words), self._style))
        if self.detail:
            line = header((self._icon, self._style), words, right, opened=opened)
            head = replace(line, wrap="words")  # its end may say what to do
        else:
            lead = styled((f"{self._icon} ", self._style))
            head = Block(words, lead=lead, hang=Content("  "), right=styled((right, FAINT)))
        if not self.opened:
            return [head]
        detail = clipped(self.detail, "$foreground 75%", whole=self.whole)
        return [head, *(replace(block, wrap="words") for block in detail)]

    def _beside(self, page: Page) -> str:
        del page
        return self._right

    def text(self) -> str:
        return f"{self.words}\n{self.detail}" if self.detail else self.words


class FooterCard(EventCard):
    """The line under a finished turn: how it ended, if not well, and its figures at the right."""

    close = True

    def text(self) -> str:
        return f"{self.words} {self._right}".strip()


class RuleCard(Card):
    """A line across the page with words in it: a gap in time."""

    def __init__(self, at: float, words: str) -> None:
        super().__init__(at)
        self._words = words

    def blocks(self, page: Page) -> Sequence[Block]:
        left = "─" * max((page.width - len(self._words) - 2) // 2, 2)
        right = "─" * max(page.width - len(left) - len(self._words) - 2, 2)
        line = styled((f"{left} ", LINE), (self._words, FAINT), (f" {right}", LINE))
        return [Block(line, wrap="cut")]

    def text(self) -> str:
        return self._words

    def guess(self, width: int) -> int:
        del width
        return 2
