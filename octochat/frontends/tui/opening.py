"""Opening sessions: the room after the first paint, the session when the room is there."""

import asyncio
import gc
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from octochat.frontends.shared.drafts import DraftFile
from octochat.frontends.tui.screen_commands import all_commands
from octochat.frontends.tui.screens.screens import Screens
from octochat.frontends.tui.start_error import StartError

if TYPE_CHECKING:
    from octochat.context.session.events import Entry
    from octochat.frontends.tui.main_pane import MainPane
    from octochat.frontends.tui.talking import Arrived
    from octochat.permissions.ask import Approver
    from octochat.session.session import Session
    from octochat.storage.sessions import SessionSummary
    from octochat.tools.base import Access

OFFLINE = "offline"
"""The model that needs no SDK."""


def nowhere(current: str) -> None:
    """Where nothing is known of other sessions."""
    del current


@dataclass(frozen=True, slots=True)
class Sessions:
    """Where sessions come from. Both functions are called in a thread."""

    begin: "Callable[[str | None, str | None, Approver], Session]"
    """Opens the session with an id, the one that was asked for at the start with an empty id, a
    new one for None; that one with the model that is named. Raises a `StartError` if it can't."""
    glance: "Callable[[], Sequence[Entry]]" = tuple
    """Reads the session that was asked for, to show it while it is being opened."""
    left_off: "Callable[[str], SessionSummary | None]" = nowhere
    """Finds what ended in the middle of work, other than the session with this id."""
    choose: bool = False
    """The person wants to choose one."""
    resumes: bool = False
    """The session that was asked for is an earlier one."""


class Opening(Screens):
    """An app that opens sessions."""

    def __init__(self, sessions: Sessions, data: Path, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.mishap = ""
        """Why no session could be opened."""
        self._data = data
        self._sessions = sessions
        self._choose = sessions.choose
        self._glanced = 0

    async def furnish(self) -> None:
        """Mount all but the input, show what is resumed, open it."""
        await asyncio.to_thread(import_module, "octochat.frontends.tui.main_pane")
        from octochat.frontends.tui.main_pane import MainPane  # after the first paint

        room = MainPane(self.folder, self.prompt, self._past)
        await self.query_one("#place").mount(room)
        self.room = room
        laid_out = asyncio.Event()
        room.call_after_refresh(laid_out.set)
        if seen := await asyncio.to_thread(self._sessions.glance):
            await laid_out.wait()  # without a width nothing can be drawn
            room.begin(seen)
            self._glanced = len(seen)
        self.call_after_refresh(self.open, "")  # what was mounted is painted first

    def open(self, wanted: str | None, draft: str = "") -> None:
        """Go on with a session (the one asked for at the start if empty), or begin a new one."""
        self.run_worker(self._open(wanted, draft), exclusive=True, group="open")

    async def _open(self, wanted: str | None, draft: str) -> None:
        room, before = self.room, self.session
        if room is None:
            return
        model = before.engine.state.model if before else None
        try:
            session = await asyncio.to_thread(self._sessions.begin, wanted, model, room.approvals)
        except StartError as error:
            self._not_opened(str(error))
            return
        self.session = session
        self._show(session, room)
        if before:
            self.prompt.open(self._drafts_of(session))
            await before.close()
        else:
            self.prompt.keep_in(self._drafts_of(session))
        if draft:
            self.prompt.prefill(draft)
        self.submit_early()
        if not before and (
            found := await asyncio.to_thread(self._sessions.left_off, session.engine.log.id)
        ):
            self._offer(found, room)
        if self._choose:
            self._choose = False
            self.choose()
        await self._prepare(session)

    @property
    def drafts_at_start(self) -> DraftFile:
        """Where the draft is kept until the session is open."""
        if self._sessions.resumes:
            return DraftFile(self._data / "drafts" / "opening.json")
        return self.drafts_before

    @property
    def drafts_before(self) -> DraftFile:
        """Where the draft is kept before anything is said: one file for each folder."""
        name = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return DraftFile(self._data / "drafts" / f"folder-{name}.json")

    def _drafts_of(self, session: "Session") -> DraftFile:
        if not spoken(session):
            return self.drafts_before
        return DraftFile(self._data / "drafts" / f"{session.engine.log.id}.json")

    def on_arrived(self, event: "Arrived") -> None:
        """Once something was said, the session has a draft of its own.

        Textual calls this before the method of the same name in `Working`.
        """
        del event
        if self.session and spoken(self.session):
            self.prompt.keep_in(self._drafts_of(self.session))

    def _offer(self, found: "SessionSummary", room: "MainPane") -> None:
        from octochat.frontends.tui.transcript.cards.offer import OfferCard
        from octochat.storage.unfinished import offer
        from octochat.text.figures import ago  # after the first paint

        now = room.transcript.clock()
        said = offer(found, ago(found.updated, now))
        card = OfferCard(now, said, f"/resume {found.id}", "or octochat -c goes on")
        room.transcript.add(card)

    def _not_opened(self, why: str) -> None:
        if self.session:
            self.note(why, "error")
        else:
            self.mishap = why
            self.exit("", return_code=2)

    def _show(self, session: "Session", room: "MainPane") -> None:
        from octochat.frontends.tui.settings import settle  # after the first paint

        settle(self, session.config.tui)
        self.prompt.commands = all_commands()
        entries = session.engine.log.entries
        if self._glanced:
            room.transcript.show_all(entries[self._glanced :])
        else:
            room.begin(entries)
        self._glanced = 0
        room.transcript.story.written = lambda: session.condenser.bill.characters
        room.transcript.rest()
        self.offer_retry()
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

    def remains(self, columns: int) -> str:
        """What is to stay in the terminal after the app; empty where nothing is wanted."""
        from octochat.frontends.tui.transcript.cards.card import Page  # after the first paint
        from octochat.frontends.tui.transcript.pager import page_width
        from octochat.frontends.tui.transcript.scrollback import remains

        if not (self.room and self.session and self.session.config.tui.keep_transcript):
            return ""
        page = Page(page_width(columns), self.room.transcript.clock())
        return remains(self.room.transcript.cards, page)

    def _past(self) -> "Sequence[tuple[str, Access]]":
        """The session's calls so far, for the panel that says what a rule would have covered."""
        from octochat.frontends.tui.approval.past_calls import past_calls  # after the first paint

        return past_calls(self.session) if self.session else ()


def spoken(session: "Session") -> bool:
    """Whether anything was said in the session."""
    return bool(session.engine.state.ledger.calls or session.engine.state.view.units)
