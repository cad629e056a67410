"""The frame around the input: its mark, and the words on its lower edge. It knows no keys."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Label

A_MOMENT = 4.0
"""Seconds in which a few words are read."""


class Frame(Horizontal):
    """A box around the editor."""

    DEFAULT_CSS = """
    Frame {
        height: auto;
        border: round $border-blurred;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        & > #mark { width: 2; color: $primary; text-style: bold; }
        &:focus-within { border: round $primary; }
        &.-shell { border: round $warning; & > #mark { color: $warning; } }
    }
    """

    def __init__(self, editor: Widget) -> None:
        super().__init__(id="frame")
        self._editor = editor
        self._hint = ""
        self._whisper: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Label("❯ ", id="mark")
        yield self._editor

    def hint(self, words: str) -> None:
        """Say something for as long as it is so."""
        self._hint = words
        if self._whisper is None:
            self.border_subtitle = Content(words)

    def whisper(self, words: str, seconds: float = A_MOMENT) -> None:
        """Say something for a moment, in front of any hint."""
        self.hush()
        self.border_subtitle = Content(words)
        self._whisper = self.set_timer(seconds, self.hush)

    def hush(self) -> None:
        """What was said for a moment is no longer so."""
        if self._whisper is not None:
            self._whisper.stop()
            self._whisper = None
            self.border_subtitle = Content(self._hint)
