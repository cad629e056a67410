"""`!` lines in a chat of lines: run, told, and kept for the next message."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from octochat.commands.shell_output import shell_output
from octochat.commands.typed import ShellLine
from octochat.context.session.ran import Ran
from octochat.frontends.shared.ran_words import ran_line
from octochat.frontends.shared.shell_escape import ShellResult, at_terminal, captured
from octochat.session.session import Session
from octochat.tools.base import ToolError


class ShellLines:
    """Runs them, while no event loop does."""

    def __init__(self, runner: asyncio.Runner, folder: Path, say: Callable[[str], object]) -> None:
        self._runner = runner
        self._folder = folder
        self._say = say
        self._along: list[Ran] = []

    def run(self, said: ShellLine, session: Session | None) -> None:
        """Run a line; with `!!` it has the terminal to itself."""
        if not said.told:
            ran = at_terminal(said.line, self._folder)
            self._tell(ran, "not sent to the model")
            return
        ran = self._runner.run(captured(said.line, self._folder))
        if session is None or not ran.began:
            self._tell(ran, "not sent to the model")
            return
        try:
            self._along.append(shell_output(session, said.line, ran.words, ran.printed))
        except ToolError as error:
            self._tell(ran, f"does not go along: {error}")
        else:
            self._tell(ran, "goes with your next message; /detach takes it off")

    @property
    def along(self) -> tuple[str, ...]:
        """What goes before the next message."""
        return tuple(ran.text() for ran in self._along)

    def sent(self) -> None:
        """The log has it, with the prompt."""
        self._along.clear()

    def detach(self) -> None:
        """Take off what was to go along last."""
        last = self._along.pop() if self._along else None
        self._say(f"Taken off: {ran_line(last)}" if last else "Nothing goes with your message.")

    def _tell(self, ran: ShellResult, becomes: str) -> None:
        printed = ran.printed.rstrip("\n")
        self._say("\n".join(filter(None, (printed, f"({', '.join((*ran.facts(), becomes))})"))))
