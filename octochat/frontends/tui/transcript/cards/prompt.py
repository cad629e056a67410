"""What the person said."""

from collections.abc import Iterator, Sequence

from octochat.context.session.content import Image, Opaque, Said, Text
from octochat.context.session.events import EntryId
from octochat.context.session.ran import Ran, commands_in, ran_in
from octochat.frontends.shared.ran_words import ran_line
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.text.figures import clock
from octochat.text.harmless import harmless

SHOWN = 12
"""Lines of a long prompt that are shown while it is folded."""
GROUND = "on $primary 10%"
BAR = styled(("▌ ", "$primary"))


class PromptCard(Card):
    """A prompt, word for word; a very long one is folded."""

    foldable = True

    def __init__(self, at: float, blocks: Sequence[Said], entry: EntryId | None = None) -> None:
        super().__init__(at, entry)
        self._ran = commands_in(blocks)
        mine = [b for b in blocks if not isinstance(b, Text) or ran_in(b.text) is None]
        self._text = said(mine)

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        return [*self._words(), *(block for ran in self._ran for block in self._told(ran))]

    def _told(self, ran: Ran) -> Iterator[Block]:
        """A command that went along: a line, and when the card is open what it printed."""
        mark = "▾" if self.opened else "▸"
        yield Block(
            styled((ran_line(ran), FAINT)),
            lead=BAR,
            hang=BAR,
            right=styled((mark, FAINT)),
            fill=GROUND,
            wrap="cut",
            action="toggle",
        )
        if self.opened and ran.output:
            printed = harmless(ran.output).expandtabs(8)
            yield Block(styled((printed, "$foreground 85%")), lead=BAR, hang=BAR, fill=GROUND)

    def _words(self) -> Sequence[Block]:
        lines = harmless(self._text).expandtabs(4).split("\n")
        shown = lines if self.opened or len(lines) <= SHOWN + 1 else lines[:SHOWN]
        text = Block(
            styled(("\n".join(shown), "$foreground")),
            lead=BAR,
            hang=BAR,
            right=styled((clock(self.at), FAINT)),
            fill=GROUND,
            wrap="prose",
        )
        if len(shown) == len(lines):
            return [text]
        rest = styled((f"… {len(lines) - SHOWN:,} more lines", FAINT))
        return [text, Block(rest, lead=BAR, hang=BAR, fill=GROUND, action="toggle")]

    def text(self) -> str:
        return "\n".join((self._text, *(f"{ran_line(ran)}\n{ran.output}" for ran in self._ran)))

    def guess(self, width: int) -> int:
        return (
            len(self._ran) + min(1 + self._text.count("\n") + len(self._text) // width, SHOWN) + 1
        )


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
