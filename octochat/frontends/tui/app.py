"""The terminal application: it puts the parts on the screen and passes on what they say."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from octochat.frontends.shared.history import History
from octochat.frontends.tui.input.files import Files
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.opening import Opening, Sessions
from octochat.frontends.tui.screen_commands import OWN, carry_out
from octochat.frontends.tui.screens.palette import SlashCommands
from octochat.frontends.tui.status.status_line import StatusLine
from octochat.frontends.tui.themes import DARK, LIGHT
from octochat.frontends.tui.transcript.scroll_keys import Reach

if TYPE_CHECKING:
    from octochat.frontends.tui.talking import SwitchedTo

TWICE = 2.0
"""Seconds within which Ctrl+C counts as pressed twice."""


class Octochat(Reach, Opening):
    """A conversation in the terminal. It ends with the id of the session."""

    TITLE = "octochat"
    CSS_PATH = "app.tcss"
    COMMANDS = Opening.COMMANDS | {SlashCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "stop_or_leave", "Stop, or leave", show=False, priority=True),
        Binding("f1", "keys", "All keys", show=False),
    ]

    def __init__(
        self, sessions: Sessions, *, data: Path, folder: Path, dark: bool = True, theme: str = ""
    ) -> None:
        """Make the app.

        Args:
            sessions: where sessions come from.
            data: where history and drafts are kept.
            folder: the working folder.
            dark: whether the terminal is dark.
            theme: which one to begin with; one that there is not leaves octochat's own.
        """
        super().__init__(sessions, data, folder)
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        own = DARK.name if dark else LIGHT.name
        self.theme = theme if theme in self.available_themes else own
        self._leaving = False

    def compose(self) -> ComposeResult:
        self.prompt = PromptInput(
            history=History(self._data / "history.jsonl", folder=str(self.folder)),
            drafts=self.drafts_at_start,
            files=Files(self.folder),
            commands=OWN,
        )
        self.status = StatusLine()
        yield Vertical(id="place")
        yield self.prompt
        yield self.status

    def on_mount(self) -> None:
        """Show the input first, then all the rest, then open the session."""
        self.prompt.editor.focus()
        self.call_after_refresh(self.run_worker, self.furnish)

    async def on_unmount(self) -> None:
        """Let go of the session and of the window's title."""
        self.terminal.untitle()
        if self.session:
            await self.session.close()

    def own(self, text: str) -> bool:
        """Carry out a command of the screen; False if the text is none."""
        return self.room is not None and carry_out(self, self.room, text)

    def leave(self) -> None:
        """End the app; the session can be resumed."""
        said = self.session is not None and self.session.engine.state.ledger.calls
        self.exit(self.session.engine.log.id if self.session and said else "")

    async def action_quit(self) -> None:
        """Leave, by whatever way."""
        self.leave()

    def on_switched_to(self, event: "SwitchedTo") -> None:
        """A command leads to another session."""
        self.open(event.session, event.draft)

    def on_main_pane_left(self) -> None:
        """The keyboard comes back."""
        self.prompt.editor.focus()

    def on_main_pane_restore_asked(self) -> None:
        """A compression is to be undone."""
        self.submit("/restore")

    def action_keys(self) -> None:
        """Show keys and commands."""
        self.help()

    def action_stop_or_leave(self) -> None:
        """Copy what is selected, else stop the work, else leave when asked twice."""
        if selected := self.prompt.editor.selected_text or self.screen.get_selected_text():
            self.copy_to_clipboard(selected)
        elif self.prompt.busy or self.prompt.beside:
            self.interrupted()
        elif self._leaving:
            self.leave()
        else:
            self._leaving = True
            self.notify("Ctrl+C again to leave", timeout=TWICE)
            self.set_timer(TWICE, lambda: setattr(self, "_leaving", False))
