"""What the model thought, folded to one line."""

from collections.abc import Sequence

from textual.content import Content

from octochat.context.session.events import EntryId
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page, header
from octochat.text.figures import count
from octochat.text.harmless import harmless

INDENT = Content("  ")


class ThinkingCard(Card):
    """A finished thought."""

    foldable = True

    def __init__(self, at: float, text: str, entry: EntryId | None = None) -> None:
        super().__init__(at, entry)
        self._text = text

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        text = harmless(self._text).strip()
        gist = text.split("\n")[0]
        return _drawn(text, ("∴", FAINT), "Thought", gist, opened=self.opened)

    def text(self) -> str:
        return self._text


class LiveThinkingCard(Card):
    """A thought that still goes on."""

    foldable = True

    def __init__(self, at: float) -> None:
        super().__init__(at)
        self._text = ""
        self._over = False

    def write(self, piece: str) -> None:
        """Add what has just come."""
        self._text += piece

    def settle(self) -> None:
        """The model has gone on to something else."""
        self._over = True

    @property
    def running(self) -> bool:
        return not self._over

    def blocks(self, page: Page) -> Sequence[Block]:
        text = harmless(self._text).strip()
        gist = text.split("\n")[0 if self._over else -1]
        icon = "∴" if self._over else page.frame
        verb = "Thought" if self._over else "Thinking"
        return _drawn(text, (icon, FAINT), verb, gist, opened=self.opened)

    def text(self) -> str:
        return self._text


def _drawn(
    text: str, icon: tuple[str, str], verb: str, gist: str, *, opened: bool
) -> Sequence[Block]:
    title = styled((f"{verb}  ", FAINT), ("" if opened else gist, f"italic {FAINT}"))
    words = count(len(text.split()), "word") if text else "not shown by the model"
    head = header(icon, title, words, opened=opened)
    if not opened or not text:
        return [head]
    body = Content.styled(text.expandtabs(4), "italic $foreground 75%")
    return [head, Block(body, lead=INDENT, hang=INDENT, wrap="prose")]
