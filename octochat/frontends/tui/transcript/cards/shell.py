"""A command line that the person runs beside the conversation, and what came of it."""

from collections.abc import Sequence

from octochat.frontends.shared.outcomes import LAST
from octochat.frontends.shared.shell_escape import ShellResult
from octochat.frontends.tui.render.blocks import NARROWEST, Block, styled
from octochat.frontends.tui.transcript.cards.card import Page, header
from octochat.frontends.tui.transcript.cards.event import EventCard
from octochat.frontends.tui.transcript.cards.glance import last_lines
from octochat.text.figures import size
from octochat.text.harmless import harmless

TAIL = 20_000
"""Characters of what it prints that are kept while it runs: a few lines of them are seen."""

AROUND = NARROWEST + 7
"""Cells that the line has beside its facts: the command, sign, mark and gaps."""


class ShellCard(EventCard):
    """Its last lines are seen while it runs; told what came of it, it stands open."""

    tight = False

    def __init__(self, at: float, command: str, *, told: bool) -> None:
        """`told`: what comes of it goes along with the next prompt."""
        super().__init__(at, f"{'!' if told else '!!'} {command}", style="$text-accent")
        self._told = () if told else ("not sent",)
        self._facts: tuple[str, ...] = ()
        self._running = True
        self._printed = ""

    @property
    def running(self) -> bool:
        return self._running

    @property
    def tall(self) -> bool:
        return self.opened or bool(self._printed)

    def write(self, piece: str) -> None:
        """Add what it has just printed; from any thread."""
        self._printed = (self._printed + piece)[-TAIL:]

    def end(self, ran: ShellResult) -> None:
        """It has ended."""
        self._running = False
        self._icon = "✗" if ran.failed else "✓"
        self._style = "$text-error" if ran.failed else "$text-success"
        self.detail = ran.printed or "(no output)"
        self._facts = (*self._told, *ran.facts(size(ran.output)))
        self.foldable = self.opened = True

    def _beside(self, page: Page) -> str:
        """As many facts as leave room for the command."""
        for many in range(len(self._facts), 1, -1):
            said = " · ".join(self._facts[:many])
            if len(said) + AROUND <= page.width:
                return said
        return "".join(self._facts[:1])

    def blocks(self, page: Page) -> Sequence[Block]:
        if not self._running:
            return super().blocks(page)
        words = styled((harmless(self.words), self._style))
        right = (f"{page.now - self.at:.0f} s", "Esc stops", *self._told)
        head = header((page.frame, self._style), words, " · ".join(right))
        if not self._printed.strip():
            return [head]
        return [head, *last_lines(self._printed, LAST, "$foreground 75%", page.width)]
