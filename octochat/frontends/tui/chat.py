"""The chat after the first paint: a conversation, the view that it is shown on, and its dialogs.

Whoever wants something of it calls it; what happens in the conversation comes back by `heard`.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from textual.app import App

from octochat.commands.base import Switched
from octochat.commands.choices import picks_of
from octochat.commands.execute import COMMANDS, commands_of
from octochat.commands.typed import FrontEndCommand, SessionCommand, ShellLine, Typed, typed
from octochat.context.session.events import Entry, EntryId, Prompted, Rewound
from octochat.frontends.shared.draft_files import DraftFiles
from octochat.frontends.tui.chat_view import ChatView
from octochat.frontends.tui.conversation import (
    CommandReported,
    Conversation,
    ForScreen,
    Happening,
    ItemsArrived,
    TurnEnded,
)
from octochat.frontends.tui.dialogs import Dialogs
from octochat.frontends.tui.first_time_help import FirstTimeHelp
from octochat.frontends.tui.note_editing import NotEditedError, note_edited
from octochat.frontends.tui.screen_commands import SCREEN_COMMANDS
from octochat.frontends.tui.session_source import SessionSource
from octochat.frontends.tui.session_switch import SessionSwitch
from octochat.frontends.tui.shell_lines import ShellLines
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.frontends.tui.transcript.pager import page_width
from octochat.frontends.tui.transcript.scrollback import scrollback_text
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.frontends.tui.worked_out import changes, comparison
from octochat.hooks.hook import EndReason
from octochat.models.port import Delta
from octochat.session.options import Options
from octochat.session.plans import plan_of
from octochat.session.session import Session

MakesCard: TypeAlias = Callable[[Session, Transcript], Awaitable[Card]]
"""What works out a card of a session for a transcript."""


class Chat:
    """What a person can do in a session, and what is shown of it."""

    def __init__(
        self,
        app: App[str],
        view: ChatView,
        options: Options,
        drafts: DraftFiles,
        give_up: Callable[[str], object],
        *,
        seen: Sequence[Entry],
    ) -> None:
        """Put it together; for the arguments see `SessionSwitch`."""
        self._app = app
        self.view: ChatView = view
        self._folder = options.folder
        self.conversation: Conversation = Conversation(
            partial(app.call_later, self.heard),
            partial(app.run_worker, group="talk"),
            self._carry_out,
        )
        self.dialogs: Dialogs = Dialogs(app, view, self.submit, self.open)
        source = SessionSource(options)
        self._switch = SessionSwitch(
            app, view, self.conversation, source, drafts, give_up, seen=seen
        )
        self._shell = ShellLines(app, view, lambda: self.session)
        self._reason: EndReason = "other"
        self._help = FirstTimeHelp(lambda: (sent.draft.text for sent in view.prompt.history.sent))

    @property
    def session(self) -> Session | None:
        """The session; None until it is open."""
        return self.conversation.session

    async def begin(self, *, choose: bool) -> None:
        """Open the session that was asked for; `choose` lets the person take another one."""
        await self._switch.open("")
        if choose:
            self.dialogs.choose_session(self._folder)
        await self._switch.prepare()

    def open(self, wanted: str | None, draft: str = "") -> None:
        """Go on with a session, or begin a new one."""
        self._app.run_worker(self._switch.open(wanted, draft), group="open")

    def submit(self, text: str, along: tuple[str, ...] = ()) -> None:
        """Do what was typed; `along` goes with it if it is for the model."""
        if self.session and not text.startswith("/context") and (words := self._help.on(text)):
            self.view.note(words, "information")
        said = typed(text, commands_of(self.session), SCREEN_COMMANDS, along)
        if not self._opens_picker(said):
            self.conversation.submit(said)
        self.view.prompt.busy = self.conversation.busy
        if self.conversation.at_work:
            self.view.pane.activity.begin()

    def follow(self, text: str) -> None:
        """Go to the end of the transcript, where what was typed will be seen."""
        if not isinstance(typed(text, (), SCREEN_COMMANDS), FrontEndCommand):
            self.view.pane.transcript.follow()

    def _opens_picker(self, said: Typed) -> bool:
        """Whether a command without an argument lets the person choose one; if so, it does."""
        match said:
            case SessionCommand(command, "") if self.session:
                picks = picks_of(self.session, command.name)
                if picks:
                    self.dialogs.pick(command.name, picks)
                return picks is not None
            case _:
                return False

    def try_now(self) -> None:
        """Wait no longer before a failed call is made again."""
        if self.session:
            self.session.nap.end()

    def interrupt(self) -> None:
        """Stop the turn, or else what runs beside it."""
        self.conversation.interrupt() if self.conversation.at_work else self._shell.stop()

    def typing(self) -> None:
        """The person writes something: the note that will be needed soon is begun."""
        if self.session and self.view.prompt.editor.text:
            self.session.compressor.begin_ahead(self.session.engine)

    def look_at_context(self) -> None:
        """Show what is in the context."""
        if self.session:
            self.dialogs.context(self.session, self._help.on("/context"))

    def rewind(self) -> None:
        """Let the person choose an earlier prompt."""
        if self.session:
            self._opens_picker(typed("/rewind", COMMANDS, ()))

    def turn_mode(self) -> None:
        """Go on to the next mode."""
        if self.session:
            self.session.dials.next_mode()
            self.view.show_figures(self.session)

    def turn_effort(self) -> None:
        """Go on to the next effort, where the model takes one."""
        if self.session and self.session.dials.next_effort(self.session.engine.state):
            self.view.show_figures(self.session)
        else:
            self.submit("/effort")  # which says why there is none

    def leave(self, reason: EndReason = "prompt_input_exit") -> None:
        """End the app with the id of a session that can be resumed."""
        self._reason = reason
        engine = self.session and self.session.engine
        self._app.exit(engine.log.id if engine and engine.state.ledger.calls else "")

    async def close(self) -> None:
        """Let go of the session."""
        if self.session:
            await self.session.close(self._reason)

    def scrollback_text(self, columns: int) -> str:
        """What is to stay in the terminal after the app; empty where nothing is wanted."""
        if not (self.session and self.session.config.tui.keep_transcript):
            return ""
        transcript = self.view.pane.transcript
        return scrollback_text(transcript.cards, Page(page_width(columns), transcript.clock()))

    def heard(self, happening: Happening) -> None:
        """Show what happened in the conversation."""
        match happening:
            case ItemsArrived():
                self._arrived(happening.take())
            case CommandReported(text, draft):
                self.view.pane.transcript.report(text)
                if draft and not self.view.prompt.editor.text:
                    self.view.prompt.prefill(draft)
                if self.session:  # it may have turned a dial
                    self.view.show_figures(self.session)
            case Switched():
                self.open(happening.session, happening.draft)
            case TurnEnded(seconds, unsaid):
                self.view.give_back(unsaid)
                self._rested(seconds)

    def _arrived(self, items: Sequence[Entry | Delta]) -> None:
        session = self.session
        if session is None:
            return
        for item in items:
            self.view.pane.transcript.show(item)
            self.view.pane.activity.hear(item)
            if isinstance(item, Entry) and isinstance(item.event, Rewound):
                self._undone(session, item.event.to)
        if any(isinstance(item, Entry) for item in items):
            self.view.show_figures(session)
        self.view.prompt.drafts.keep_in(self._switch.drafts_of(session))

    def _undone(self, session: Session, to: EntryId) -> None:
        """Put the prompt that was taken back into the input, unless something stands there."""
        undone = session.engine.log.entries[to].event
        if isinstance(undone, Prompted) and not self.view.prompt.editor.text:
            self.view.give_back(undone.blocks)

    def _rested(self, seconds: float) -> None:
        view = self.view
        view.pane.transcript.rest()
        view.pane.activity.end()
        if self.conversation.at_work:
            view.pane.activity.begin()
        if self.conversation.at_work or self.session is None:
            return  # the next turn has begun
        view.prompt.busy = False
        if not view.prompt.busy:  # no waiting prompt was sent
            view.offer_retry(self.session)
            view.offer_plan(self.session)
        view.show_figures(self.session)
        view.terminal.turn_ended("Done.", seconds=seconds, focused=self._app.app_focus)

    def _carry_out(self, said: ForScreen) -> None:
        match said:
            case ShellLine(line, told):
                self._shell.begin(line, told=told)
            case FrontEndCommand(spec, rest):
                self._command(spec.name, rest)

    def _command(self, name: str, rest: str) -> None:
        """Carry out one of `SCREEN_COMMANDS`."""
        match name, rest:
            case "help", _:
                self.dialogs.help()
            case "context", _:
                self.look_at_context()
            case "resume", "":
                self.dialogs.choose_session(self._folder)
            case "resume", wanted:
                self.open(wanted)
            case "find", words:
                self.view.pane.find(words)
            case "copy", which:
                self.view.pane.copy_answer(which)
            case "diff", _:
                self._work_out(changes)
            case "theme", theme if theme in self._app.available_themes:
                self._app.theme = theme
            case "theme", "":
                self.dialogs.theme()
            case "theme", other:
                self.view.note(f"There is no theme {other}; /theme shows all.")
            case "edit-note", note:
                self._edit_note(note)
            case "edit-plan", _:
                self._edit_plan()
            case "whatif", _:
                if self.session and self.session.engine.state.ledger.calls:
                    replaying = "Replaying this session with every strategy …"
                    self.view.note(replaying, "information")
                self._work_out(comparison)
            case _:
                self.leave()

    def _edit_note(self, note: str) -> None:
        """Let the person rewrite a note, which changes what the model is sent."""
        if self.conversation.at_work:
            self.view.note("Wait until the model is done, or stop it with Esc.", "warning")
        elif self.session:
            self._app.run_worker(self._note_edited(self.session, note), group="edit")

    async def _note_edited(self, session: Session, note: str) -> None:
        try:
            self._arrived([await note_edited(self._app, session, note)])
        except NotEditedError as error:
            self.view.note(str(error), "information")

    def _edit_plan(self) -> None:
        """Put the plan into the input, to be changed and sent."""
        if self.session and (plan := plan_of(self.session)):
            self.view.prompt.prefill(plan.draft)
        else:
            self.view.note("There is no plan to change.", "information")

    def _work_out(self, make: MakesCard) -> None:
        """Show what takes a moment to work out, unless another session is open by then."""
        if self.session:
            self._app.run_worker(self._worked_out(self.session, make), group="aside")

    async def _worked_out(self, session: Session, make: MakesCard) -> None:
        card = await make(session, self.view.pane.transcript)
        if session is self.session:
            self.view.pane.transcript.add(card)
