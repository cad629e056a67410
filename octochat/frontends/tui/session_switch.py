"""Opens a session in place of the one before, and shows it: entries, draft and settings."""

import asyncio
import gc
from collections.abc import Callable, Sequence

from textual.app import App

from octochat.commands.execute import shadowed
from octochat.commands.typed import PromptText, typed, waits
from octochat.context.session.events import Entry
from octochat.frontends.shared.draft_files import DraftFiles
from octochat.frontends.shared.drafts import DraftFile
from octochat.frontends.tui.approval.past_calls import past_calls
from octochat.frontends.tui.chat_view import ChatView
from octochat.frontends.tui.completed import completed, mentioned, picks
from octochat.frontends.tui.conversation import Conversation
from octochat.frontends.tui.session_source import NOT_OPENED, SessionSource
from octochat.frontends.tui.settings import apply_settings
from octochat.frontends.tui.transcript.cards.offer import OfferCard
from octochat.frontends.tui.transcript.model import TranscriptModel
from octochat.session.session import Session
from octochat.storage.sessions import SessionSummary
from octochat.storage.unfinished import unfinished_notice
from octochat.text.figures import ago


class SessionSwitch:
    """Changes a conversation from one session to the next."""

    def __init__(
        self,
        app: App[str],
        view: ChatView,
        conversation: Conversation,
        source: SessionSource,
        drafts: DraftFiles,
        give_up: Callable[[str], object],
        *,
        seen: Sequence[Entry] = (),
    ) -> None:
        """Make one.

        Args:
            app: for its settings.
            view: where the session is shown.
            conversation: what goes on in it.
            source: where sessions come from.
            drafts: where drafts are kept.
            give_up: told why no session can be opened where there is none to stay in.
            seen: what is shown already of the first session: its end.
        """
        self._app = app
        self._view = view
        self._conversation = conversation
        self._source = source
        self._drafts = drafts
        self._give_up = give_up
        self._seen: Sequence[Entry] = seen
        self._at_work = asyncio.Lock()

    async def open(self, wanted: str | None, draft: str = "") -> None:
        """Go on with a session (the one asked for at the start if empty), or begin a new one.

        `draft` is put into the input there. One after the other: the session before lets go of its
        file only when it is closed.
        """
        async with self._at_work:
            await self._open(wanted, draft)

    async def _open(self, wanted: str | None, draft: str) -> None:
        before = self._conversation.session
        model = before.engine.state.model if before else None
        approver = self._view.approvals
        try:
            session = await asyncio.to_thread(self._source.open, wanted, model, approver)
        except NOT_OPENED as error:
            self._view.note(str(error), "error") if before else self._give_up(str(error))
            return
        if self._seen and self._seen[0].id > 1:
            await self._fill_up(session.engine.log.entries)
        self._show(session)
        if before:
            self._view.prompt.drafts.open(self.drafts_of(session))
            await before.close("clear" if wanted is None else "other")
        else:
            self._view.prompt.drafts.keep_in(self.drafts_of(session))
        if draft:
            self._view.prompt.prefill(draft)
        self._conversation.begin(session)
        if self._conversation.at_work:  # something was said before the session was open
            self._view.pane.activity.begin()
        self._view.prompt.busy = self._conversation.at_work
        if not before:
            await self._look_back(session.engine.log.id)

    async def prepare(self) -> None:
        """Load what the first request would otherwise wait for."""
        if session := self._conversation.session:
            await asyncio.to_thread(session.ruler.load)
            await session.prepare()
        gc.collect()
        gc.freeze()
        gc.enable()

    def drafts_of(self, session: Session) -> DraftFile:
        """Where a session's draft is kept: it has a file of its own once something was said."""
        state = session.engine.state
        if state.ledger.calls or state.view.units:
            return self._drafts.of(session.engine.log.id)
        return self._drafts.new

    async def _look_back(self, current: str) -> None:
        """Offer to go on with what was left, and the draft that was."""
        if found := await asyncio.to_thread(self._source.unfinished, current):
            self._offer(found)
        if left := await asyncio.to_thread(self._source.left, current):
            self._view.prompt.drafts.offer(self._drafts.of(left), keep=True)

    def _offer(self, found: SessionSummary) -> None:
        transcript = self._view.pane.transcript
        now = transcript.clock()
        said = unfinished_notice(found, ago(found.updated, now))
        card = OfferCard(now, f"{said}:", f"/resume {found.id}", "or octochat -c goes on")
        transcript.add(card)

    async def _fill_up(self, entries: Sequence[Entry]) -> None:
        """Show what stands before the end that is shown."""
        transcript, known = self._view.pane.transcript, entries[: self._seen[-1].id]
        cards = await asyncio.to_thread(TranscriptModel.of, known, transcript.clock)
        self._view.pane.fill_up(cards)

    def _show(self, session: Session) -> None:
        view, entries = self._view, session.engine.log.entries
        apply_settings(self._app, view, session.config.tui)
        prompt, themes = view.prompt, tuple(self._app.available_themes)
        prompt.offered = lambda: completed(session, themes)
        prompt.completer.mentions = lambda: mentioned(session)
        prompt.speaks = lambda text: isinstance(typed(text, (), prompt.offered()), PromptText)
        prompt.waits = lambda text: waits(typed(text, (), prompt.offered())) and not picks(text)
        if self._seen:
            view.pane.transcript.show_all(entries[self._seen[-1].id :])
        else:
            view.pane.begin(entries, session.dials.mode)
        self._seen = ()
        view.pane.transcript.model.written = lambda: session.compressor.bill.characters
        view.approvals.past = lambda: past_calls(session)
        if session.servers:
            session.servers.questions.answered = True
            meanwhile = self._conversation.meanwhile
            session.servers.told = lambda: self._app.call_later(meanwhile)
        session.compressor.ahead.between_turns = True
        view.pane.transcript.rest()
        view.offer_retry(session)
        for notice in (*session.notices, *shadowed(session)):
            view.note(notice)
        view.make_offer(session.offer)
        view.offer_plan(session)
        folder = self._source.options.folder.name
        view.terminal.title(f"octochat · {session.engine.state.title or folder}")
        view.show_figures(session)
