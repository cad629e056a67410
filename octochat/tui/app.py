"""The terminal application: it puts the parts on the screen and opens sessions."""

import asyncio
import gc
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from octochat.tui.draft import DraftFile
from octochat.tui.files import Files
from octochat.tui.history import History
from octochat.tui.own import OWN, all_commands, carry_out
from octochat.tui.palette import SlashCommands
from octochat.tui.prompt import Prompt
from octochat.tui.reach import Reach
from octochat.tui.screens import Screens
from octochat.tui.start_error import StartError
from octochat.tui.status import StatusLine
from octochat.tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from octochat.permissions import Approver
    from octochat.session import Session
    from octochat.tools.base import Access
    from octochat.tui.room import Room
    from octochat.tui.talking import SwitchedTo

Begin: TypeAlias = "Callable[[str | None, Approver], Session]"
"""Opens the session with an id, the one that was asked for with an empty id, a new one for None.
It takes a while, is called in a thread, and raises a `StartError` if it can't."""
OFFLINE = "offline"
"""The model that needs no SDK."""
TWICE = 2.0
"""Seconds within which Ctrl+C counts as pressed twice."""


class Octochat(Reach, Screens):
    """A conversation in the terminal. It ends with the id of the session."""

    TITLE = "octochat"
    CSS_PATH = "app.tcss"
    COMMANDS = Screens.COMMANDS | {SlashCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "stop_or_leave", "Stop, or leave", show=False, priority=True),
    ]

    def __init__(
        self, begin: Begin, *, data: Path, folder: Path, dark: bool = True, choose: bool = False
    ) -> None:
        """Make the app.

        Args:
            begin: opens sessions.
            data: where history and drafts are kept.
            folder: the working folder.
            dark: whether the terminal is dark.
            choose: begin with the list of sessions.
        """
        super().__init__()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name if dark else LIGHT.name
        self.folder = folder
        self.mishap = ""
        """Why no session could be opened."""
        self._begin = begin
        self._data = data
        self._choose = choose
        self._leaving = False

    def compose(self) -> ComposeResult:
        self.prompt = Prompt(
            history=History(self._data / "history.jsonl", folder=str(self.folder)),
            drafts=DraftFile(self._data / "drafts" / "next.json"),
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
        self.call_after_refresh(self.run_worker, self._furnish())

    async def on_unmount(self) -> None:
        """Let go of the session and of the window's title."""
        self.terminal.untitle()
        if self.session:
            await self.session.close()

    async def _furnish(self) -> None:
        await asyncio.to_thread(import_module, "octochat.tui.room")
        from octochat.tui.room import Room  # noqa: PLC0415  # after the first paint

        room = Room(self.folder, self.prompt, self._past)
        await self.query_one("#place").mount(room)
        self.room = room
        self.open("")

    def open(self, wanted: str | None, draft: str = "") -> None:
        """Go on with a session (the one asked for at the start if empty), or begin a new one."""
        self.run_worker(self._open(wanted, draft), exclusive=True, group="open")

    async def _open(self, wanted: str | None, draft: str) -> None:
        room, before = self.room, self.session
        if room is None:
            return
        try:
            session = await asyncio.to_thread(self._begin, wanted, room.approvals)
        except StartError as error:
            self._not_opened(str(error))
            return
        self.session = session
        self._show(session, room)
        if before:
            self.prompt.open(DraftFile(self._data / "drafts" / f"{session.engine.log.id}.json"))
            await before.close()
        if draft:
            self.prompt.prefill(draft)
        self.submit_early()
        if self._choose:
            self._choose = False
            self.choose()
        await self._prepare(session)

    def _not_opened(self, why: str) -> None:
        if self.session:
            self.note(why, "error")
        else:
            self.mishap = why
            self.exit("", return_code=2)

    def _show(self, session: "Session", room: "Room") -> None:
        theme = session.config.tui.theme
        if theme in self.available_themes:
            self.theme = theme
        self.prompt.commands = all_commands()
        room.begin(session.engine.log.entries)
        for notice in session.notices:
            self.note(notice)
        self.terminal.title(f"octochat · {session.engine.state.title or self.folder.name}")
        self.tell_figures()

    async def _prepare(self, session: "Session") -> None:
        """Load what the first request would otherwise wait for."""
        await asyncio.to_thread(session.ruler.load)
        if session.engine.state.model != OFFLINE:
            await session.prepare()
        gc.collect()
        gc.freeze()
        gc.enable()

    def _past(self) -> "Sequence[tuple[str, Access]]":
        """The session's calls so far, for the panel that says what a rule would have covered."""
        from octochat.tui.past import past_calls  # noqa: PLC0415  # after the first paint

        return past_calls(self.session) if self.session else ()

    def own(self, text: str) -> bool:
        """Carry out a command of the screen; False if the text is none."""
        return self.room is not None and carry_out(self, self.room, text)

    def leave(self) -> None:
        """End the app; the session can be resumed."""
        self.exit(self.session.engine.log.id if self.session else "")

    def on_switched_to(self, event: "SwitchedTo") -> None:
        """A command leads to another session."""
        self.open(event.session, event.draft)

    def on_room_left(self) -> None:
        """The keyboard comes back."""
        self.prompt.editor.focus()

    def on_room_restore_asked(self) -> None:
        """A compression is to be undone."""
        self.submit("/restore")

    def action_stop_or_leave(self) -> None:
        """Copy what is selected, else stop the work, else leave when asked twice."""
        if self.screen.get_selected_text():
            self.screen.action_copy_text()
        elif self.prompt.busy:
            self.interrupted()
        elif self._leaving:
            self.leave()
        else:
            self._leaving = True
            self.notify("Ctrl+C again to leave", timeout=TWICE)
            self.set_timer(TWICE, lambda: setattr(self, "_leaving", False))
