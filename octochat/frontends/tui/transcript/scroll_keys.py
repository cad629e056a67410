"""Keys that reach the transcript from wherever the keyboard is."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from octochat.frontends.tui.frame import Frame


class Reach(Frame):
    """An app whose transcript can be paged through and searched while one writes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+f", "find", "Find in the transcript", id="find"),
        Binding("ctrl+p", "command_palette", "Palette", priority=True, show=False, id="palette"),
        Binding("pageup", "page(-1)", "Page up", priority=True, show=False),
        Binding("pagedown", "page(1)", "Page down", priority=True, show=False),
        Binding("ctrl+home", "first", "First card", priority=True, show=False),
        Binding("ctrl+end", "last", "Last card", priority=True, show=False),
        Binding("ctrl+up", "browse", "Walk through the cards", show=False),
    ]

    def action_find(self) -> None:
        """Ask what to find."""
        if self.room:
            self.room.find()

    def action_page(self, by: int) -> None:
        """Turn the transcript's page."""
        if self.room:
            self.room.page(by)

    def action_first(self) -> None:
        """Go to the first card."""
        if self.room:
            self.room.transcript.action_end_card(0)

    def action_last(self) -> None:
        """Go to the end, and stay there."""
        if self.room:
            self.room.transcript.follow()

    def action_browse(self) -> None:
        """Move the keyboard to the transcript."""
        if self.room:
            self.room.transcript.focus()
