"""What an app copies, and how: what was selected with the mouse, as soon as the button is let go.

Textual has the mouse, so the terminal's own selecting does not work. Through what the text reaches
the clipboard is known to `terminal/output.py`.
"""

from textual.app import App
from textual.screen import Screen
from textual.widgets import TextArea

from octochat.frontends.tui.terminal.output import Terminal


class Ground(Screen[None]):
    """The screen under all dialogs."""

    def text_select_all(self) -> None:
        """A double click selects nothing: it is no wish for the whole screen."""


class CopyingApp(App[str]):
    """An app that copies by every way there is."""

    terminal: Terminal

    def get_default_screen(self) -> Screen[None]:
        """The screen that the app begins with."""
        return Ground(id="_default")

    def copy_to_clipboard(self, text: str) -> None:
        """Copy by what Textual does, through tmux, and with the system's tools."""
        super().copy_to_clipboard(text)
        self.run_worker(self.terminal.copy(text), group="copy")

    def on_text_selected(self) -> None:
        """The button was let go over text; perhaps nothing is selected."""
        self._copy_selected(self.screen.get_selected_text())

    def on_mouse_up(self) -> None:
        """The button was let go, perhaps in an input, whose selection is its own affair."""
        if isinstance(self.focused, TextArea):
            self._copy_selected(self.focused.selected_text)

    def _copy_selected(self, text: str | None) -> None:
        if text:
            self.copy_to_clipboard(text)
            self.notify("Copied what is selected", timeout=2, markup=False)
