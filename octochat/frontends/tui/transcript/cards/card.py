"""What every card in the transcript can do: be drawn at a width, opened, searched, copied."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.content import Content

from octochat.context.session.events import EntryId
from octochat.frontends.tui.render.blocks import FAINT, Block, styled

FRAMES = "◐◓◑◒"


@dataclass(frozen=True, slots=True)
class Page:
    """What a card is drawn on."""

    width: int
    """Cells."""
    now: float
    """Seconds since the epoch."""

    @property
    def frame(self) -> str:
        """The sign of something that goes on, turning four times a second."""
        return FRAMES[int(self.now * 4) % len(FRAMES)]


class Card:
    """One thing in the transcript. It knows what it shows, and nothing of where."""

    foldable: bool = False
    """It has an inside that opens."""
    tight: ClassVar[bool] = False
    """It stands right under another one of its class."""
    close: ClassVar[bool] = False
    """It stands right under whatever it follows."""

    def __init__(self, at: float, entry: EntryId | None = None) -> None:
        self.at = at
        """When it came, in seconds since the epoch."""
        self.entry = entry
        """The entry of the log that it shows; None for what is not logged."""
        self.index = 0
        """Its place in the transcript."""
        self.opened = False
        self.whole = False
        """It shows all of its inside, however long."""
        self.hider: Card | None = None
        """The card that took it back: it is shown only where that one is opened."""

    @property
    def hidden(self) -> bool:
        """Whether it takes no room at all."""
        return self.hider is not None and (self.hider.hidden or not self.hider.opened)

    @property
    def running(self) -> bool:
        """Whether time alone changes how it looks."""
        return False

    @property
    def tall(self) -> bool:
        """Whether more than its first line is shown, so that what follows stands apart."""
        return self.opened

    def blocks(self, page: Page) -> Sequence[Block]:
        """What it looks like now."""
        raise NotImplementedError

    def text(self) -> str:
        """All that can be found and copied, what is folded included."""
        raise NotImplementedError

    def guess(self, width: int) -> int:
        """About how many rows it takes, without drawing it."""
        if self.foldable and not self.opened:
            return 2
        text = self.text()
        return 1 + text.count("\n") + len(text) // max(width, 1)

    def toggle(self) -> None:
        """Open or close it."""
        self.opened = not self.opened
        self.whole = False


def header(
    icon: tuple[str, str], title: Content, right: str = "", *, opened: bool | None = None
) -> Block:
    """The one line that a folded card is; `opened` is None where there is nothing to open."""
    mark = "" if opened is None else ("▾ " if opened else "▸ ")
    return Block(
        title,
        lead=styled((f"{icon[0]} ", icon[1])),
        hang=Content("  "),
        right=styled((f"{right}  " if right and mark else right, FAINT), (mark.strip(), FAINT)),
        wrap="words" if opened is None else "cut",
        action="" if opened is None else "toggle",
    )
