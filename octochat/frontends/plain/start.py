"""The chat in lines: reads a prompt, tells what comes of it, until the person leaves.

The prompt is read while no event loop runs, each turn runs in one; so Ctrl-C means at any moment
what it says in the help.
"""

import asyncio
import signal
import sys
import time
from contextlib import aclosing
from dataclasses import replace

from octochat.commands.base import Report, Switched
from octochat.commands.execute import commands_of, execute
from octochat.commands.sessions import listing
from octochat.commands.spec import CommandSpec
from octochat.commands.typed import (
    ForSession,
    FrontEndCommand,
    PromptText,
    ShellLine,
    Typed,
    typed,
)
from octochat.config.load import ConfigError
from octochat.context.codec.bounds import seconds as span
from octochat.context.session.events import Entry, Prompted, Replied
from octochat.frontends.plain.approval import Questions
from octochat.frontends.plain.chosen import chosen
from octochat.frontends.plain.commands import OWN, every_command, help_text
from octochat.frontends.plain.greeting import greet
from octochat.frontends.plain.keyboard import Keyboard
from octochat.frontends.plain.narrator import Narrator
from octochat.frontends.plain.shell_lines import ShellLines
from octochat.frontends.plain.status import status
from octochat.frontends.shared.drafts import Draft
from octochat.frontends.shared.endings import cancelling, heard
from octochat.frontends.shared.history import History
from octochat.hooks.hook import EndReason
from octochat.models.port import ModelError
from octochat.session.build import open_session
from octochat.session.offers import Offer
from octochat.session.options import Options
from octochat.session.plans import QUESTION, WAYS, Plan, plan_of
from octochat.session.session import Session
from octochat.storage import sessions
from octochat.storage.log import LogError
from octochat.storage.sessions import NoSessionError
from octochat.storage.unfinished import unfinished_notice, unfinished_session
from octochat.text.exit_codes import BY_SIGNAL, INTERRUPTED, MISUSED, OK
from octochat.text.figures import ago

TWICE = 2.0
"""Seconds within which a second Ctrl-C leaves."""
TURN_OVER = "the turn ended before it was written"
"""Why a note that is begun in the background is given up: nothing runs while a prompt is read."""
MISHAPS = (ConfigError, LogError, NoSessionError)


def start(options: Options, *, choose: bool) -> int:
    """Run the chat; returns the exit code.

    Args:
        options: what the command line says of the session.
        choose: begin with the list of sessions.
    """
    history = History(sessions.data_folder() / "history.jsonl", folder=str(options.folder))
    history.load()
    sent = [sent.draft.text for sent in history.sent]
    keyboard = Keyboard(sent, options.folder)
    with asyncio.Runner() as runner:
        chat = PlainChat(options, runner, keyboard, history)
        cancelling(chat.told_to_end)
        try:
            if choose:
                chat.options = replace(options, resume=chosen(keyboard, chat.narrator))
            chat.open(chat.options)
            chat.tell_unfinished()
            return chat.talk()
        except MISHAPS as error:
            sys.stderr.write(f"octochat: {error}\n")
            return MISUSED
        except (KeyboardInterrupt, asyncio.CancelledError):
            return BY_SIGNAL + chat.ended if chat.ended else INTERRUPTED
        finally:
            chat.close()


class PlainChat:
    """One person at one terminal, in one session after another."""

    def __init__(
        self, options: Options, runner: asyncio.Runner, keyboard: Keyboard, history: History
    ) -> None:
        self.options: Options = options
        self.narrator: Narrator = Narrator(sys.stdout)
        self._runner: asyncio.Runner = runner
        self._keyboard: Keyboard = keyboard
        keyboard.words = lambda: (f"/{each.name}" for each in every_command(self._session))
        self._history: History = history
        self._questions: Questions = Questions(keyboard, self.narrator.line, self._call)
        self._session: Session | None = None
        self._offer: Offer | Plan | None = None
        """What the first line that is said may say yes to."""
        self._shell = ShellLines(runner, options.folder, self.narrator.line)
        self._draft: str = ""
        self._begun: float = 0.0
        """When the turn began, by the clock of `time.monotonic`."""
        self._stopped: float = -TWICE
        """When Ctrl-C was pressed last."""
        self.ended: signal.Signals | None = None
        """By which signal octochat was told to end."""

    def open(self, options: Options) -> None:
        """Go on in another session; the one before is closed only if that works.

        Raises:
            ConfigError, LogError, NoSessionError: it can't be opened.
        """
        session = open_session(options, self._questions)
        session.ruler.load()
        self.close("other" if options.resume else "clear")
        self._session = session
        self._offer = session.offer
        greet(self.narrator, session)

    def tell_unfinished(self) -> None:
        """Name the session that ended here in the middle of work, to those who began a new one."""
        if self._session is None or self.options.resume or self.options.go_on:
            return
        if found := unfinished_session(self.options.folder, self._session.engine.log.id):
            said = unfinished_notice(found, ago(found.updated, time.time()))
            self.narrator.line(f"{said}: /resume {found.id} or octochat -c goes on.")

    def close(self, reason: EndReason = "other") -> None:
        """Let go of the session, and say how to go on with it."""
        session, self._session = self._session, None
        if session is None:
            return
        said = any(isinstance(entry.event, Prompted) for entry in session.engine.log.entries)
        if vain := self._runner.run(session.close(reason)):
            self.narrator.show(vain)
        if said:
            self.narrator.line(f"To go on with this session: octochat -r {session.engine.log.id}")

    def told_to_end(self, by: signal.Signals, task: "asyncio.Task[object] | None" = None) -> None:
        """End, and with it the task."""
        self.ended = by
        if task:
            task.cancel()

    def talk(self) -> int:
        """Read and answer until the person leaves; the exit code."""
        code = self._talk()
        self.close("prompt_input_exit")
        return code

    def _talk(self) -> int:
        warned = False
        while True:
            draft, self._draft = self._draft, ""
            for line in self._session.engine.warnings() if self._session else ():
                self.narrator.show(line)
            try:
                text = self._keyboard.prompt(draft)
            except EOFError:
                self.narrator.line("")
                return OK
            except KeyboardInterrupt:
                self.narrator.line("")
                if self._again() or warned:
                    return INTERRUPTED
                warned = True
                self.narrator.line("Ctrl-C again leaves; so does Ctrl-D.")
                continue
            warned = False
            if self._offer and text.strip():
                text, self._offer = self._offer.answered(text), None
            said = typed(text, commands_of(self._session), OWN, self._shell.along)
            match said:
                case FrontEndCommand(CommandSpec("quit")):
                    return OK
                case PromptText(words) if not words.strip():
                    continue
                case _:
                    self._remember(text)
                    self._do(said)

    def _do(self, said: Typed) -> None:
        match said:
            case ShellLine():
                self._shell.run(said, self._session)
            case FrontEndCommand(spec, rest):
                self._do_own(spec.name, rest)
            case _ if self._session:
                self._begun = time.monotonic()
                if switched := self._runner.run(self._say(self._session, said)):
                    self._switch(switched)
            case _:
                return

    def _do_own(self, name: str, rest: str) -> None:
        match name:
            case "detach":
                self._shell.detach()
            case "resume" if rest:
                self._switch(Switched("", session=rest))
            case "resume":
                self.narrator.line(f"{listing()}\n/resume ID goes on with one.")
            case _:
                self.narrator.line(help_text(self._session))

    async def _say(self, session: Session, said: ForSession) -> Switched | None:
        """Say it and tell what comes of it; where to go on, if that is somewhere else."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        loop.add_signal_handler(signal.SIGINT, self._interrupt, session, task)
        switched: Switched | None = None
        replied = False
        try:
            with heard(lambda by: self.told_to_end(by, task)):
                async with aclosing(execute(session, said)) as stream:
                    async for item in stream:
                        self.narrator.show(item)
                        if isinstance(item, Entry) and isinstance(item.event, Prompted):
                            self._shell.sent()
                        switched = item if isinstance(item, Switched) else switched
                        replied |= isinstance(item, Entry) and isinstance(item.event, Replied)
                        await asyncio.sleep(0)
        except (ModelError, LogError) as error:
            self.narrator.rest()
            detail = error.detail if isinstance(error, ModelError) else ""
            self.narrator.line("\n".join(filter(None, (f"error: {error}", detail))))
            if session.engine.unfinished:
                self.narrator.line("/retry goes on where this stopped.")
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            self.narrator.rest()
        if session.compressor.ahead.writing:
            vain = await session.compressor.discard_ahead(session.engine, TURN_OVER)
            self.narrator.show(vain) if vain else None
        if replied:
            self.narrator.line(status(session))
            self._offer_plan(session)
            self._call()
        return switched

    def _offer_plan(self, session: Session) -> None:
        """Ask what becomes of the plan that the turn ended with, if it did."""
        if plan := plan_of(session):
            ways = (f"{key} and Enter: {what}" for key, what in WAYS if key != "c")
            self.narrator.line("\n".join((QUESTION, *ways, "Anything else goes to the model.")))
            self._offer = plan

    def _call(self) -> None:
        """Ring if the person has waited long."""
        said = self._session and self._session.config.tui
        if said and said.bell and time.monotonic() - self._begun >= span(said.notify_after):
            self.narrator.ring()

    def _interrupt(self, session: Session, task: "asyncio.Task[object] | None") -> None:
        if self._again() and task:
            task.cancel()
        else:
            session.engine.interrupt()
            self.narrator.line("Stopping; Ctrl-C again leaves.")

    def _again(self) -> bool:
        """Whether this is the second Ctrl-C in a row; called once for each."""
        before, self._stopped = self._stopped, time.monotonic()
        return self._stopped - before < TWICE

    def _switch(self, to: Switched) -> None:
        """Go on in the other session with its own model, in a new one with the model of this."""
        own = self._session.engine if self._session else None
        if own and to.session and own.log.id.startswith(to.session):
            self.narrator.line("You are already in that session.")
            return
        model = None if to.session else own and own.state.model
        try:
            self.open(replace(self.options, resume=to.session, go_on=False, model=model))
        except MISHAPS as error:
            self.narrator.line(f"error: {error}")
            return
        self._draft = to.draft if "\n" not in to.draft else ""
        if to.draft:
            self.narrator.line(f"Your prompt was: {to.draft}")

    def _remember(self, text: str) -> None:
        self._keyboard.remember(text)
        try:
            self._history.add(Draft(text))
        except OSError as error:
            self.narrator.show(Report(f"warning: the history can't be written: {error.strerror}"))
