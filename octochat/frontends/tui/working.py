"""Saying something to the session, and showing what comes of it."""

import asyncio
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual import on

from octochat.frontends.tui.frame import Frame
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.screen_commands import looks_only

if TYPE_CHECKING:
    from octochat.frontends.tui.main_pane import MainPane
    from octochat.frontends.tui.talking import Arrived, Reported, Rested
    from octochat.session.session import Session


class Working(Frame):
    """An app that talks to its session."""

    def __init__(self) -> None:
        super().__init__()
        self._early: list[str] = []
        self._later: deque[str] = deque()
        """What was sent before the input knew that the model works."""
        self._at_work = False
        self._told: frozenset[str] = frozenset()
        """What was explained while this runs."""

    def own(self, text: str) -> bool:
        """Carry out a command of the screen; False if the text is none."""
        raise NotImplementedError

    def submit(self, text: str) -> None:
        """Do what was typed; what comes before the session is open waits for it."""
        if self.session is None or self.room is None:
            self._early.append(text)
            return
        if not text.startswith("/context") and (words := self.explained(text)):
            self.note(words, "information")
        if self.own(text):
            self._next()
        elif looks_only(text):
            from octochat.frontends.tui.talking import tell  # after the first paint

            self.run_worker(tell(self, self.session, text), group="look")
            self._next()
        elif self._at_work:
            self._later.append(text)
        else:
            self._talk(self.session, text)

    def explained(self, text: str) -> str:
        """What a command is about, the first time that it is used; else nothing."""
        from octochat.frontends.tui.first_time_help import explanation  # after the first paint

        words = explanation(text, (sent.draft.text for sent in self.prompt.history.sent))
        told, self._told = self._told, self._told | {words}
        return "" if words in told else words

    def _next(self) -> None:
        """What came out of the queue gave the model nothing to do: the next one may come."""
        self.prompt.busy = self._at_work

    def _talk(self, session: "Session", text: str) -> None:
        """One turn at a time: the engine is not to be used by two."""
        from octochat.frontends.tui.talking import talk  # after the first paint

        self._at_work = self.prompt.busy = True
        if self.room:
            self.room.transcript.follow()
        self.run_worker(talk(self, session, text), group="talk")

    def offer_retry(self) -> None:
        """Say how to go on where a turn was cut off."""
        if self.room and self.session and self.session.engine.unfinished:
            from octochat.frontends.tui.transcript.cards.offer import (
                OfferCard,  # after the first paint
            )

            shown = self.room.transcript
            said = "The turn was cut off"
            shown.story.add(OfferCard(shown.clock(), said, "/retry", "goes on with it"))
            shown.update()

    def submit_early(self) -> None:
        """Do what was typed before the session was open."""
        waiting, self._early = self._early, []
        for text in waiting:
            if text.startswith("!"):
                self.post_message(PromptInput.ShellRequested(text[1:]))
            else:
                self.submit(text)

    @on(PromptInput.Submitted)
    def submitted(self, event: PromptInput.Submitted) -> None:
        self.submit(event.text)

    @on(PromptInput.ShellRequested)
    def shell_requested(self, event: PromptInput.ShellRequested) -> None:
        if self.session is None or self.room is None:
            self._early.append(f"!{event.command}")
        else:
            self.run_worker(self._shell(event.command, self.room), group="shell")
        self._next()

    async def _shell(self, command: str, room: "MainPane") -> None:
        from octochat.frontends.tui.shell_escape import ShellResult, run
        from octochat.frontends.tui.transcript.cards.shell import ShellCard  # after the first paint

        shown = room.transcript
        card = ShellCard(shown.clock(), command)
        shown.add(card)
        self.prompt.beside += 1
        try:
            card.end(await run(command, Path.cwd()))
        except OSError as error:  # no such $SHELL, or the folder is gone
            card.end(ShellResult(str(error), 0, 0, 0.0, "the shell can't be run"))
        finally:
            self.prompt.beside -= 1
        if card in shown.cards:
            shown.story.touched.add(card)
            shown.update()

    def compare(self) -> None:
        """Replay this session with every strategy, and show what each would have cost."""
        if self.session:
            self.note("Replaying this session with every strategy …", "information")
            self.run_worker(self._compare(self.session), group="compare", exclusive=True)

    async def _compare(self, session: "Session") -> None:
        from octochat.frontends.tui.screens.whatif import compared  # takes 0.1 s to import
        from octochat.frontends.tui.transcript.cards.report import (
            report_width,  # after the first paint
        )

        if (room := self.room) is None:
            return
        width = report_width(room.transcript.page)
        table = await asyncio.to_thread(compared, session, width)
        if session is self.session:
            room.transcript.report(table)

    @on(PromptInput.Interrupt)
    def interrupted(self) -> None:
        if self.session and self.prompt.busy:
            self.session.engine.interrupt()
        else:
            cancel = cast("Callable[[object, str], object]", self.workers.cancel_group)
            cancel(self, "shell")

    @on(PromptInput.Trouble)
    def trouble(self, event: PromptInput.Trouble) -> None:
        self.notify(event.text, severity="warning", markup=False)

    # The messages of what is imported later are handled by name: their classes are not here yet.

    def on_arrived(self, event: "Arrived") -> None:
        """Something happened in the session."""
        from octochat.context.session.events import Entry, Rewound  # after the first paint

        if self.room:
            items = event.take()
            for item in items:
                self.room.transcript.show(item)
                if isinstance(item, Entry) and isinstance(item.event, Rewound):
                    self._undone(item.event.to)
            if any(isinstance(item, Entry) for item in items):
                self.tell_figures()

    def _undone(self, to: int) -> None:
        """Put the prompt that was taken back into the input, unless something stands there."""
        from octochat.context.session.content import plain_text  # after the first paint
        from octochat.context.session.events import Prompted

        undone = self.session.engine.log.entries[to].event if self.session else None
        if isinstance(undone, Prompted) and not self.prompt.editor.text:
            self.prompt.prefill(plain_text(undone.blocks))

    def on_approval_panel_waits(self) -> None:
        """The model's work stands still until a question is answered."""
        self.terminal.call("A question waits for your answer.", focused=self.app_focus)

    def on_reported(self, event: "Reported") -> None:
        """A command has an answer."""
        if self.room:
            self.room.transcript.report(event.text)

    def on_rested(self, event: "Rested") -> None:
        """The model has done what it could."""
        if self.room:
            self.room.transcript.rest()
        self._at_work = False
        if self._later and self.session:
            self._talk(self.session, self._later.popleft())
            return
        self.prompt.busy = False
        if not self.prompt.busy:  # no waiting prompt was sent
            self.offer_retry()
        self.tell_figures()
        self.terminal.turn_ended("Done.", seconds=event.seconds, focused=self.app_focus)
