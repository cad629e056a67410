"""What a new session begins with: who answers, where, and three things to try."""

from collections.abc import Sequence
from pathlib import Path

from textual.content import Content

from octochat.context.session.events import Entry, Opened
from octochat.frontends.tui.render.blocks import EMPTY, FAINT, Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page

TRY = (
    ("read README.md and say what this project is", "it reads here without asking"),
    ("run the tests and fix what fails", "it asks before it runs or changes anything"),
    ("what does @README.md leave out?", "@ puts a file into the prompt"),
)
TRY_OFFLINE = (
    ("read README.md", "it reads here without asking"),
    ("run mkdir a", "it asks before it runs or changes anything"),
    ("! ls -l", "! is a line for your own shell"),
)
NARROW = 70
"""Cells of a page on which no row is to spare."""


class WelcomeCard(Card):
    """The first thing on the screen. It goes when the session is resumed."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__(entries[0].at if entries else 0.0)
        opened = next((e.event for e in entries if isinstance(e.event, Opened)), None)
        self._model = opened.model if opened else ""
        self._folder = opened.folder if opened else ""

    def blocks(self, page: Page) -> Sequence[Block]:
        tries = TRY_OFFLINE if self._model == "offline" else TRY
        where = styled(("octochat", "bold $primary"), f"   {self._model}", (" in ", FAINT))
        if page.width < NARROW:
            head = [Block(where + Content(Path(self._folder).name))]
        else:
            head = [Block(EMPTY), Block(where + Content(self._folder)), Block(EMPTY)]
        width = max(len(words) for words, _ in tries)
        rows = [_row(words, why, width, page.width) for words, why in tries]
        keys = "/help lists commands and keys. Three things to try:"
        return [*head, Block(styled((keys, FAINT))), *rows]

    def text(self) -> str:
        return f"octochat {self._model} {self._folder}"

    def guess(self, width: int) -> int:
        del width
        return 8


def _row(words: str, why: str, width: int, room: int) -> Block:
    beside = styled((f"{why}", FAINT)) if width + len(why) + 8 <= room else EMPTY
    return Block(
        styled((f"{words:<{width}}", "$text-primary"), "   ") + beside,
        lead=styled(("  › ", FAINT)),
        hang=Content("    "),
        action="try",
        value=words,
    )
