"""The terminal application: it puts the parts on the screen and passes on what they say."""

import asyncio
import gc
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from octochat.tui.draft import DraftFile
from octochat.tui.files import Files
from octochat.tui.history import History
from octochat.tui.own import OWN, all_commands, carry_out
from octochat.tui.prompt import Prompt
from octochat.tui.reach import Reach
from octochat.tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from octochat.permissions import Approver
    from octochat.session import Session
    from octochat.tui.room import Room
    from octochat.tui.talking import Arrived, Reported

Begin: TypeAlias = "Callable[[str | None, Approver], Session]"
"""Opens the session with an id, the one that was asked for with an empty id, a new one for None.
It takes a while, is called in a thread, and raises a `StartError` if it can't."""
OFFLINE = "offline"
"""The model that needs no SDK."""


class StartError(Exception):
    """A session can't be opened. `str(error)` says what to do."""


class Octochat(Reach):
    """A conversation in the terminal. It ends with the id of the session."""

    TITLE = "octochat"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "stop_or_leave", "Stop, or leave", show=False, priority=True),
    ]

    def __init__(self, begin: Begin, *, data: Path, folder: Path) -> None:
        """Make the app.

        Args:
            begin: opens sessions.
            data: where history and drafts are kept.
            folder: the working folder.
        """
        super().__init__()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name
        self.session: Session | None = None
        self.mishap = ""
        """Why no session could be opened."""
        self._begin = begin
        self._data = data
        self._folder = folder
        self._early: list[str] = []
        self._leaving = False

    def compose(self) -> ComposeResult:
        self.prompt = Prompt(
            history=History(self._data / "history.jsonl", folder=str(self._folder)),
            drafts=DraftFile(self._data / "draft.json"),
            files=Files(self._folder),
            commands=OWN,
        )
        yield Vertical(id="place")
        yield self.prompt

    def on_mount(self) -> None:
        """Show the input first, then all the rest, then open the session."""
        self.prompt.editor.focus()
        self.call_after_refresh(self.run_worker, self._furnish())

    async def _furnish(self) -> None:
        await asyncio.to_thread(import_module, "octochat.tui.room")
        from octochat.tui.room import Room  # noqa: PLC0415  # after the first paint

        room = Room(self._folder)
        await self.query_one("#place").mount(room)
        self.room = room
        self.open("")

    def open(self, wanted: str | None) -> None:
        """Go on with a session (the one asked for at the start if empty), or begin a new one."""
        self.run_worker(self._open(wanted), exclusive=True, group="open")

    async def _open(self, wanted: str | None) -> None:
        room = self.room
        if room is None:
            return
        before, self.session = self.session, None
        if before:
            await before.close()
        try:
            session = await asyncio.to_thread(self._begin, wanted, room.approvals)
        except StartError as error:
            self.mishap = str(error)
            self.exit("", return_code=2)
            return
        self._opened(session, room)
        await asyncio.to_thread(session.ruler.load)
        if session.engine.state.model != OFFLINE:
            await session.api.prepare()
        gc.collect()
        gc.freeze()
        gc.enable()

    def _opened(self, session: "Session", room: "Room") -> None:
        from octochat.model import Notice  # noqa: PLC0415  # after the first paint

        self.session = session
        self.prompt.commands = all_commands()
        room.begin(session.engine.log.entries)
        for notice in session.notices:
            room.transcript.show(Notice(notice, "warning"))
        waiting, self._early = self._early, []
        for text in waiting:
            self.submit(text)

    def submit(self, text: str) -> None:
        """Do what was typed; what comes before the session is open waits for it."""
        if self.session is None or self.room is None:
            self._early.append(text)
        elif not carry_out(self, self.room, text):
            from octochat.tui.talking import talk  # noqa: PLC0415  # after the first paint

            self.prompt.busy = True
            self.room.transcript.follow()
            self.run_worker(talk(self, self.session, text), group="talk")

    def leave(self) -> None:
        """End the app; the session can be resumed."""
        self.exit(self.session.engine.log.id if self.session else "")

    @on(Prompt.Submitted)
    def submitted(self, event: Prompt.Submitted) -> None:
        self.submit(event.text)

    @on(Prompt.Interrupt)
    def interrupted(self) -> None:
        if self.session:
            self.session.engine.interrupt()

    @on(Prompt.Trouble)
    def trouble(self, event: Prompt.Trouble) -> None:
        self.notify(event.text, severity="warning", markup=False)

    # The messages of what is mounted later are handled by name: their classes are not here yet.

    def on_arrived(self, event: "Arrived") -> None:
        """Something happened in the session."""
        if self.room:
            self.room.transcript.show(event.item)

    def on_reported(self, event: "Reported") -> None:
        """A command has an answer."""
        if self.room:
            self.room.transcript.report(event.text)

    def on_rested(self) -> None:
        """The model has done what it could."""
        if self.room:
            self.room.transcript.rest()
        self.prompt.busy = False

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
            self.notify("Ctrl+C again to leave", timeout=2)
            self.set_timer(2, lambda: setattr(self, "_leaving", False))
