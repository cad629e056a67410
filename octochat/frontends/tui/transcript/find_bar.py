"""The line in which a person types what to find in the transcript."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

PAUSE = 0.15
"""Seconds without a key before the search begins."""


class FindBar(Horizontal):
    """Asks for a text, and says how often it was found."""

    DEFAULT_CSS = """
    FindBar {
        height: 1; display: none; background: $panel; padding: 0 1;
        &.-open { display: block; }
        & > #find-mark { width: auto; color: $text-accent; }
        & > Input { width: 1fr; background: $panel; }
        & > #find-count { width: auto; color: $foreground 70%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,up,ctrl+p", "go(-1)", "Older"),
        Binding("shift+enter,down,ctrl+n", "go(1)", "Newer"),
        Binding("tab,ctrl+f", "stay", "Stay there"),
        Binding("escape", "leave", "Back"),
    ]

    class Wanted(Message):
        """The person looks for a text; empty if for nothing."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text: str = text

    class Step(Message):
        """The person wants the match before (-1) or after (1) this one."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by: int = by

    class Left(Message):
        """The person is done, and wants to be where they were."""

    class Stayed(Message):
        """The person is done, and wants to stay at what was found."""

    def __init__(self) -> None:
        super().__init__()
        self._pause: Timer | None = None
        self._asked = ""

    def compose(self) -> ComposeResult:
        yield Static("Find  ", id="find-mark")
        yield Input(placeholder="In the whole transcript, folded parts included", compact=True)
        yield Static("", id="find-count")

    def begin(self, text: str = "") -> None:
        """Ask, or look for a text at once."""
        self.add_class("-open")
        entry = self.query_one(Input)
        entry.cursor_blink = False
        if text:
            entry.value = text
        entry.focus()
        entry.select_all()
        self._ask()

    def say(self, place: int, number: int) -> None:
        """Show which match is looked at, counted from 1, and how many there are."""
        entry = self.query_one(Input).value
        words = f" {place:,} of {number:,} " if number else (" not found " if entry.strip() else "")
        hint = "  ↑↓ step · Tab stays · Esc back" if self.size.width > 70 else ""  # noqa: PLR2004
        self.query_one("#find-count", Static).update(Content(words + hint))

    @on(Input.Changed)
    def changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pause:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self._ask)

    def action_go(self, by: int) -> None:
        """To the match before or after."""
        if self.query_one(Input).value != self._asked:
            self._ask()
        else:
            self.post_message(self.Step(by))

    def action_leave(self) -> None:
        """Close the line and go back."""
        self._close()
        self.post_message(self.Left())

    def action_stay(self) -> None:
        """Close the line; what was found stays in view."""
        if self._pause:
            self._ask()
        self._close()
        self.post_message(self.Stayed())

    def _close(self) -> None:
        if self._pause:
            self._pause.stop()
            self._pause = None
        self.remove_class("-open")
        self._asked = ""

    def _ask(self) -> None:
        if self._pause:
            self._pause.stop()
            self._pause = None
        self._asked = self.query_one(Input).value
        self.post_message(self.Wanted(self._asked))
