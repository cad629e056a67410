"""What the person said."""

from collections.abc import Sequence

from octochat.context.session.content import Image, Opaque, Said, Text
from octochat.context.session.events import EntryId
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.text.figures import clock
from octochat.text.harmless import harmless

SHOWN = 12
"""Lines of a long prompt that are shown while it is folded."""
GROUND = "on $primary 10%"


class PromptCard(Card):
    """A prompt, word for word; a very long one is folded."""

    foldable = True

    def __init__(self, at: float, blocks: Sequence[Said], entry: EntryId | None = None) -> None:
        super().__init__(at, entry)
        self._text = "\n".join(_said(block) for block in blocks)

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        lines = harmless(self._text).expandtabs(4).split("\n")
        shown = lines if self.opened or len(lines) <= SHOWN + 1 else lines[:SHOWN]
        bar = styled(("▌ ", "$primary"))
        text = Block(
            styled(("\n".join(shown), "$foreground")),
            lead=bar,
            hang=bar,
            right=styled((clock(self.at), FAINT)),
            fill=GROUND,
        )
        if len(shown) == len(lines):
            return [text]
        rest = styled((f"… {len(lines) - SHOWN:,} more lines", FAINT))
        return [text, Block(rest, lead=bar, hang=bar, fill=GROUND, action="toggle")]

    def text(self) -> str:
        return self._text

    def guess(self, width: int) -> int:
        return min(1 + self._text.count("\n") + len(self._text) // width, SHOWN) + 1


def _said(block: Said) -> str:
    match block:
        case Text(text):
            return text
        case Image(media_type, data):
            return f"[image: {media_type}, {len(data) * 3 // 4 / 1000:,.0f} kB]"
        case Opaque(raw):
            return f"[{raw.get('type', 'document')}]"


def said(content: Sequence[Said]) -> str:
    """What a person or a tool said, as text; images are named."""
    return "\n".join(_said(block) for block in content)
