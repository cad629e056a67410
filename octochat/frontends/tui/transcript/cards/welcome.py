"""What a new session begins with: who answers, where, and three things to try."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from textual.content import Content

from octochat.context.session.events import Entry, ModelChanged, Opened
from octochat.frontends.tui.render.blocks import EMPTY, FAINT, Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page

READS = "it reads here without asking"
ASKS: Mapping[str, str] = {
    "plan": "in plan mode it changes nothing",
    "ask": "it asks before it runs or changes anything",
    "accept-edits": "it asks before it runs a command",
    "allow-all": "it runs without asking",
    "read-only": "in read-only mode it runs nothing",
}
"""What becomes of a command, by the mode."""
SHELL = ("! ls -l", "! is a line for your own shell")
NARROW = 70
"""Cells of a page on which no row is to spare."""


class WelcomeCard(Card):
    """The first thing on the screen. It goes when the session is resumed."""

    def __init__(self, entries: Sequence[Entry], mode: str = "ask") -> None:
        super().__init__(entries[0].at if entries else 0.0)
        opened = next((e.event for e in entries if isinstance(e.event, Opened)), None)
        models = [e.event.model for e in entries if isinstance(e.event, Opened | ModelChanged)]
        self._model = models[-1] if models else ""
        self._folder = opened.folder if opened else ""
        readme = readme_in(Path(self._folder))
        self._tries = tries(readme, mode, offline=self._model == "offline")

    def blocks(self, page: Page) -> Sequence[Block]:
        tries = self._tries
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


def readme_in(folder: Path) -> str:
    """The name of a folder's README; empty if it has none."""
    try:
        return min((path.name for path in folder.glob("README*") if path.is_file()), default="")
    except OSError:
        return ""


def tries(readme: str, mode: str = "ask", *, offline: bool) -> Sequence[tuple[str, str]]:
    """What can be tried in a folder with such a README, and what is to be seen by it."""
    asks = ASKS[mode]
    if offline:
        return ((f"read {readme}" if readme else "list files", READS), ("run mkdir a", asks), SHELL)
    about = f"read {readme} and say" if readme else "look around and say"
    leaves_out = (f"what does @{readme} leave out?", "@ names a file, and Tab completes it")
    return (
        (f"{about} what this project is", READS),
        ("run the tests and fix what fails", asks),
        leaves_out if readme else SHELL,
    )


def _row(words: str, why: str, width: int, room: int) -> Block:
    beside = styled((f"{why}", FAINT)) if width + len(why) + 8 <= room else EMPTY
    return Block(
        styled((f"{words:<{width}}", "$text-primary"), "   ") + beside,
        lead=styled(("  › ", FAINT)),
        hang=Content("    "),
        action="try",
        value=words,
    )
