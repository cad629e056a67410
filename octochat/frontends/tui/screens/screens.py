"""The screens that open over the chat: sessions, help, the context, earlier prompts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on

from octochat.frontends.tui.input.completion import CommandHelp
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.screen_commands import EMACS, KEYS
from octochat.frontends.tui.status.status_line import StatusLine
from octochat.frontends.tui.working import Working

if TYPE_CHECKING:
    from octochat.frontends.tui.screens.context import UnitChoice


class Screens(Working):
    """An app that opens screens and does what was chosen there."""

    folder: Path
    """The working folder."""

    def open(self, wanted: str | None) -> None:
        """Go on with a session."""
        raise NotImplementedError

    def choose(self) -> None:
        """Let the person choose a session to go on with."""
        from octochat.frontends.tui.screens.sessions import SessionsScreen
        from octochat.storage.sessions import listed  # after the first paint

        def chosen(session: str | None) -> None:
            if session:
                self.open(session)

        self.push_screen(SessionsScreen(listed, folder=self.folder), chosen)

    def help(self) -> None:
        """Show keys and commands."""
        from octochat.frontends.tui.screens.help import (  # after the first paint
            APPROVAL_KEYS,
            EDITING_KEYS,
            INPUT_KEYS,
            HelpScreen,
        )

        def chosen(command: str | None) -> None:
            if command:
                self.submit(command)

        other: Mapping[str, str] = EMACS if self.prompt.keys == "emacs" else {}
        keys = (
            ("Input", (*INPUT_KEYS, *EDITING_KEYS[self.prompt.keys])),
            ("Transcript", tuple((other.get(key, key), said) for key, said in KEYS)),
            ("Questions", APPROVAL_KEYS),
        )
        self.push_screen(HelpScreen(self.prompt.commands, *keys), chosen)

    def look_at_context(self) -> None:
        """Show what is in the context, and how it came about."""
        from octochat.frontends.tui.screens.context import ContextScreen  # after the first paint
        from octochat.frontends.tui.status.gauge_reading import gauge_of

        if self.session:
            engine = self.session.engine
            view = ContextScreen(
                gauge_of(self.session),
                engine.state,
                tuple(engine.log.entries),
                self.explained("/context"),
            )
            self.push_screen(view, self._unit_chosen)

    def _unit_chosen(self, chosen: "UnitChoice | None") -> None:
        if chosen is None or self.session is None or self.room is None:
            return
        if chosen.pin:
            pinned = chosen.unit in self.session.engine.state.pins
            self.submit(f"/{'unpin' if pinned else 'pin'} {chosen.unit}")
        else:
            self.room.show_entry(chosen.unit)

    @on(StatusLine.ContextRequested)
    def context_requested(self) -> None:
        self.look_at_context()

    @on(PromptInput.RewindRequested)
    def rewind_requested(self) -> None:
        from octochat.frontends.tui.screens.rewind import RewindScreen  # after the first paint

        if self.session:
            self.push_screen(RewindScreen(self.session), self._prompt_chosen)

    def _prompt_chosen(self, prompt: int | None) -> None:
        if prompt is None or self.session is None or self.room is None:
            return
        from octochat.frontends.tui.screens.rewind import rewound  # after the first paint

        text, items = rewound(self.session, prompt)
        for item in items:
            self.room.transcript.show(item)
        if text:
            self.prompt.prefill(text)
        self.tell_figures()

    def palette_commands(self) -> Sequence[CommandHelp]:
        """What the command palette offers."""
        return self.prompt.commands

    def palette_chose(self, command: CommandHelp) -> None:
        """Carry out what was chosen there, or let the person complete it."""
        if command.usage and not command.usage.startswith("["):
            self.prompt.prefill(f"/{command.name} ")
            self.prompt.editor.focus()
        else:
            self.submit(f"/{command.name}")
