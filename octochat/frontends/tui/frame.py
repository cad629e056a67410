"""What every part of the app can rely on: the widgets and the session, as far as they are there."""

from collections.abc import Container
from typing import TYPE_CHECKING, Literal, TypeAlias

from textual.app import App
from textual.driver import Driver

from octochat.frontends.tui.input.keymaps import USUAL
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.status.status_line import StatusLine
from octochat.frontends.tui.terminal.info import surroundings
from octochat.frontends.tui.terminal.output import Terminal, written_by

if TYPE_CHECKING:
    from octochat.frontends.tui.main_pane import MainPane
    from octochat.session.session import Session


Severity: TypeAlias = Literal["information", "warning", "error"]


class Frame(App[str]):
    """An app with an input, a status line, and (after the first paint) a room and a session."""

    prompt: PromptInput
    status: StatusLine

    def __init__(self) -> None:
        super().__init__()
        self.room: MainPane | None = None
        self.session: Session | None = None
        self.bound: Container[str] = USUAL
        """The names of the keys that mean something in the input, or with Alt anywhere."""
        self.terminal = Terminal(surroundings(), written_by(self))

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, with our own reading of the keyboard on Linux and macOS."""
        chosen = super().get_driver_class()
        if chosen.__module__ == "textual.drivers.web_driver":
            from octochat.frontends.tui.terminal.browser import BrowserDriver  # only in a browser

            return BrowserDriver
        if chosen.__module__ != "textual.drivers.linux_driver":
            return chosen
        from octochat.frontends.tui.terminal.keyboard import KeyboardDriver  # not on Windows

        return KeyboardDriver

    def copy_to_clipboard(self, text: str) -> None:
        """Copy by every way there is: what Textual does, through tmux, with the system's tools."""
        super().copy_to_clipboard(text)
        self.run_worker(self.terminal.copy(text), group="copy")

    def note(self, text: str, severity: Severity = "warning") -> None:
        """Tell the person something in the transcript."""
        if self.room:
            from octochat.models.port import Notice  # after the first paint

            self.room.transcript.show(Notice(text, severity))

    def tell_figures(self) -> None:
        """Bring the status line up to date."""
        if self.session:
            from octochat.frontends.tui.status.gauge_reading import (
                gauge_of,  # after the first paint
            )

            self.status.show(gauge_of(self.session))
