"""The terminal application: the first paint, then the chat; it passes on what the parts say."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.driver import Driver
from textual.screen import ModalScreen

from octochat.commands.spec import CommandSpec
from octochat.frontends.shared.draft_files import DraftFiles
from octochat.frontends.shared.history import History
from octochat.frontends.tui.after_first_paint import what_shows, what_works
from octochat.frontends.tui.copying import CopyingApp
from octochat.frontends.tui.input.files import Files
from octochat.frontends.tui.input.keymaps import USUAL
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.screen_commands import SCREEN_COMMANDS
from octochat.frontends.tui.screens.palette import SlashCommands
from octochat.frontends.tui.terminal.drivers import driver_for
from octochat.frontends.tui.terminal.first_theme import begin_with
from octochat.frontends.tui.terminal.info import surroundings
from octochat.frontends.tui.terminal.output import Terminal, written_by
from octochat.frontends.tui.themes import DARK, LIGHT
from octochat.session.options import Options
from octochat.text.exit_codes import MISUSED

if TYPE_CHECKING:
    from octochat.frontends.tui.chat import Chat
    from octochat.frontends.tui.main_pane import MainPane
    from octochat.frontends.tui.status.status_line import StatusLine
    from octochat.session.session import Session

TWICE = 2.0
"""Seconds within which Ctrl+C counts as pressed twice."""


class Octochat(CopyingApp):
    """A conversation in the terminal. It ends with the id of the session."""

    TITLE = "octochat"
    CSS_PATH = "app.tcss"
    COMMANDS = App.COMMANDS | {SlashCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "stop_or_leave", "Stop, or leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Back to the shell", priority=True, show=False),
        Binding("f1", "keys", "All keys", show=False),
        Binding("shift+tab", "turn_mode", "Another mode", priority=True, show=False, id="mode"),
        Binding("f2", "turn_effort", "More or less effort", priority=True, show=False),
        Binding("ctrl+f", "find", "Find in the transcript", id="find"),
        Binding("ctrl+p", "command_palette", "Palette", priority=True, show=False, id="palette"),
        Binding("pageup", "page(-1)", "Page up", priority=True, show=False),
        Binding("pagedown", "page(1)", "Page down", priority=True, show=False),
        Binding("ctrl+home", "first", "First card", priority=True, show=False),
        Binding("ctrl+end", "last", "Last card", priority=True, show=False),
        Binding("ctrl+up", "browse", "Walk through the cards", show=False),
    ]

    def __init__(
        self,
        options: Options,
        *,
        data: Path,
        choose: bool = False,
        dark: bool = True,
        theme: str = "",
    ) -> None:
        """Make the app.

        Args:
            options: what the command line says of the session.
            data: where history and drafts are kept.
            choose: the person wants to choose a session.
            dark: whether the terminal is dark.
            theme: which one to begin with; one that there is not leaves octochat's own.
        """
        super().__init__()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        begin_with(self, theme if theme in self.available_themes else (LIGHT, DARK)[dark].name)
        self.mishap = ""
        """Why no session could be opened."""
        self.pane: MainPane | None = None
        self.status: StatusLine | None = None
        self.chat: Chat | None = None
        self.terminal = Terminal(surroundings(), written_by(self), USUAL)
        self.options = options
        self._choose = choose
        self._early: list[tuple[str, tuple[str, ...]]] = []
        """What was said before there was a chat."""
        self._leaving = False
        self._drafts = DraftFiles(data, options.folder)

    @property
    def session(self) -> "Session | None":
        """The session; None until it is open."""
        return self.chat.session if self.chat else None

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, with our own reading of the keyboard."""
        return driver_for(super().get_driver_class())

    def compose(self) -> ComposeResult:
        folder, drafts = self.options.folder, self._drafts
        self.prompt = PromptInput(
            history=History(drafts.data / "history.jsonl", folder=str(folder)),
            drafts=drafts.new,
            left=drafts.left,
            files=Files(folder),
            commands=SCREEN_COMMANDS,
        )
        yield Vertical(id="main")
        yield self.prompt
        yield Vertical(id="below")

    def on_mount(self) -> None:
        """Show the input first, then all the rest, then open the session."""
        self.prompt.editor.focus()
        self.call_after_refresh(self.run_worker, self.furnish)

    async def on_unmount(self) -> None:
        """Let go of the session and of the window's title."""
        self.terminal.untitle()
        if self.chat:
            await self.chat.close()

    async def furnish(self) -> None:
        """Mount all but the input, show what is resumed, then open it."""
        make_pane, make_status, session_preview = await what_shows()
        pane, status = make_pane(self.prompt), make_status()
        await self.query_one("#main").mount(pane)
        await self.query_one("#below").mount(status)
        self.pane, self.status = pane, status
        laid_out = asyncio.Event()
        pane.call_after_refresh(laid_out.set)
        if seen := await asyncio.to_thread(session_preview, self.options):
            await laid_out.wait()  # without a width nothing can be drawn
            pane.begin(seen)
        make_chat, view_on = await what_works()
        view = await view_on(self.prompt, status, pane, self.terminal, self.options.folder)
        self.chat = make_chat(self, view, self.options, self._drafts, self.give_up, seen=seen)
        while self._early:
            self.chat.submit(*self._early.pop(0))
        self.run_worker(self.chat.begin(choose=self._choose), group="open", exclusive=True)

    def give_up(self, why: str) -> None:
        """End the app, as no session could be opened."""
        self.mishap = why
        self.exit("", return_code=MISUSED)

    def submit(self, text: str, along: tuple[str, ...] = ()) -> None:
        """Do what was typed; `along` goes with it to the model."""
        if not self.chat:
            self.prompt.busy = True  # what is sent after it waits in sight
        self.chat.submit(text, along) if self.chat else self._early.append((text, along))

    def palette_commands(self) -> Sequence[CommandSpec]:
        """What the command palette offers."""
        return self.prompt.offered()

    def palette_chose(self, command: CommandSpec) -> None:
        """Carry out what was chosen there, or let the person complete it."""
        if command.usage and not command.usage.startswith("["):
            self.prompt.prefill(f"/{command.name} ")
            self.prompt.editor.focus()
        else:
            self.submit(f"/{command.name}")

    @on(PromptInput.Submitted)
    def submitted(self, event: PromptInput.Submitted) -> None:
        self.submit(event.text, event.along)
        if self.chat and not event.waited:
            self.chat.follow(event.text)

    @on(PromptInput.Interrupt)
    def interrupt(self) -> None:
        if self.chat:
            self.chat.interrupt()

    @on(PromptInput.RewindRequested)
    def rewind_requested(self) -> None:
        if self.chat:
            self.chat.rewind()

    @on(PromptInput.TryNow)
    def try_now(self) -> None:
        if self.chat:
            self.chat.try_now()

    @on(PromptInput.Trouble)
    def trouble(self, event: PromptInput.Trouble) -> None:
        self.notify(event.text, severity="warning", markup=False)

    # The messages of what is imported later are handled by name: their classes are not here yet.
    def on_text_area_changed(self) -> None:
        """Something was typed."""
        if self.chat:
            self.chat.typing()

    def on_status_line_context_requested(self) -> None:
        """The gauge was clicked."""
        if self.chat:
            self.chat.look_at_context()

    def on_main_pane_left(self) -> None:
        """The keyboard comes back."""
        self.prompt.editor.focus()

    def on_main_pane_restore_asked(self) -> None:
        """A compression is to be undone."""
        self.submit("/restore")

    def on_transcript_hurried(self) -> None:
        """A failed call is to be made again at once."""
        self.try_now()

    def on_main_pane_edit_asked(self, event: "MainPane.EditAsked") -> None:
        """A note is to be rewritten."""
        self.submit(f"/edit-note {event.note}")

    def on_approval_panel_waits(self) -> None:
        """The model's work stands still until a question is answered."""
        self.terminal.call("A question waits for your answer.", focused=self.app_focus)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a dialog is open, the keys that turn pages turn its own."""
        del parameters
        return action not in {"page", "first", "last"} or not isinstance(self.screen, ModalScreen)

    async def action_quit(self) -> None:
        """Leave, by whatever way."""
        self.chat.leave() if self.chat else self.exit("")

    @on(PromptInput.Ended)
    async def action_stop_or_leave(self) -> None:
        """Copy what is selected, else close the search, stop, clear the input, or leave at last."""
        if isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
            return
        if self.copy_selected(self.prompt.editor):
            return
        if self.prompt.leave_search():
            self._leaving = False
        elif self.prompt.busy or self.prompt.beside:
            self.interrupt()
        elif self.prompt.has_focus_within and self.prompt.clear():
            self._leaving = False
        elif self._leaving:
            await self.action_quit()
        else:
            self._leaving = True
            self.prompt.frame.whisper("Ctrl+C or Ctrl+D again leaves", TWICE)
            self.set_timer(TWICE, lambda: setattr(self, "_leaving", False))

    def action_keys(self) -> None:
        """Show keys and commands."""
        if self.chat:
            self.chat.dialogs.help()

    def action_turn_mode(self) -> None:
        """Go on to the next mode."""
        if self.chat:
            self.chat.turn_mode()

    def action_turn_effort(self) -> None:
        """Go on to the next effort."""
        if self.chat:
            self.chat.turn_effort()

    def action_find(self) -> None:
        """Ask what to find."""
        if self.pane:
            self.pane.find()

    def action_page(self, by: int) -> None:
        """Turn the transcript's page."""
        if self.pane:
            self.pane.page(by)

    def action_first(self) -> None:
        """Go to the first card."""
        if self.pane:
            self.pane.transcript.action_end_card(0)

    def action_last(self) -> None:
        """Go to the end, and stay there."""
        if self.pane:
            self.pane.transcript.follow()

    def action_browse(self) -> None:
        """Move the keyboard to the transcript."""
        if self.pane:
            self.pane.transcript.focus()
