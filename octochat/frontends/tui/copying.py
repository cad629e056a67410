"""What an app copies, and how: what was selected with the mouse, as soon as the button is let go.

Textual has the mouse, so the terminal's own selecting does not work. Through what the text reaches
the clipboard is known to `terminal/output.py`.
"""

from textual.app import App
from textual.message import Message
from textual.screen import Screen
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from octochat.frontends.tui.terminal.output import Terminal


class Ground(Screen[None]):
    """The screen under all dialogs."""

    def text_select_all(self) -> None:
        """A double click selects nothing: it is no wish for the whole screen."""


class MouseArea(TextArea):
    """An input that says what was selected in it, wherever the button is let go."""

    class Selected(Message):
        """Text was selected with the mouse."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text: str = text

    _pressed: bool = False

    def on_mouse_down(self) -> None:
        """What is selected from here on is selected here."""
        self._pressed = True

    def on_mouse_up(self) -> None:
        """What was pressed elsewhere and is let go here selects nothing here."""
        pressed, self._pressed = self._pressed, False
        if pressed and self.selected_text:
            self.post_message(self.Selected(self.selected_text))


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

    def copy_selected(self, area: TextArea) -> bool:
        """Copy what is selected, on the screen or else in the input, and let go of both.

        Returns whether there was anything.
        """
        # To select in the input lets go of what is selected elsewhere, not the other way round.
        if text := self.screen.get_selected_text() or area.selected_text:
            self.copy_to_clipboard(text)
            self.clear_selection()
            area.selection = Selection.cursor(area.cursor_location)
        return bool(text)

    def on_text_selected(self) -> None:
        """The button was let go over text; perhaps nothing is selected."""
        if text := self.screen.get_selected_text():
            self._copy_selected(text)

    def on_mouse_area_selected(self, event: MouseArea.Selected) -> None:
        """Text was selected in an input."""
        self._copy_selected(event.text)

    def _copy_selected(self, text: str) -> None:
        self.copy_to_clipboard(text)
        self.notify("Copied what is selected", timeout=2, markup=False)
