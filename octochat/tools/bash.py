"""The tool that runs commands in a shell which lasts from call to call."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

from octochat.context.codec.bounds import seconds
from octochat.context.session.content import Text
from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.capture import Capture
from octochat.tools.facts import ToolFacts
from octochat.tools.limits import Limits, Spill
from octochat.tools.shell import Ended, Shell, environment
from octochat.tools.tool_context import ToolContext

_FRESH = "a new shell is in {folder}; variables, functions and background processes are gone"


def _spec(limits: Limits) -> ToolDefinition:
    usual, most = _ms(limits.command_timeout), _ms(limits.command_timeout_most)
    return ToolDefinition(
        name=Bash.name,
        description=(
            "Run a command in bash. The shell lasts: directory, variables and background "
            "processes are still there at the next call, until the session ends. Standard input "
            "is empty and there is no terminal, so no editors, pagers or prompts. The result is "
            "standard output and error together, and the exit status if it is not 0. Use read, "
            "glob and grep to look at files and edit to change them."
        ),
        schema=given.schema(
            [],
            command={
                "type": "string",
                "description": "The command, which may have several lines. Needed unless restart.",
            },
            timeout_ms={
                "type": "integer",
                "minimum": 0,
                "description": (
                    "After how many milliseconds the command is killed, with all that it "
                    f"started: {usual:,} if left out, {most:,} at "
                    "most. Start what takes longer in the background, with its output in a file."
                ),
            },
            restart={
                "type": "boolean",
                "description": "Instead of running a command, end the shell and start a new one.",
            },
        ),
    )


@dataclass(slots=True)
class Bash:
    """Runs commands, one at a time."""

    name: ClassVar[str] = "bash"
    facts: ClassVar[ToolFacts] = ToolFacts(("command",), language="bash")

    folder: Path
    """Where the shell starts."""
    spill: Spill
    limits: Limits
    env: Mapping[str, str]
    """What commands see as their environment."""
    _shell: Shell | None = None
    _news: str = ""
    """What became of the shell that the model has not been told yet."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.roots.folder, place.spill, place.limits, environment(place.environment))

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _spec(self.limits)

    def access(self, arguments: Arguments) -> Access:
        """The command line that would run."""
        given.known(arguments, ("command", "timeout_ms", "restart"))
        given.count(arguments, "timeout_ms")
        if given.flag(arguments, "restart"):
            return Access(kind="none", target="restart the shell")
        command = given.text(arguments, "command")
        if not command.strip():
            raise ToolError("command is empty")
        _check_sendable(command)
        return Access(kind="run", target=command)

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Run it. Nothing of it goes on after an interrupt or a timeout."""
        async with self._turn:
            if access.kind == "none":
                await self._end()
                self._news = ""
                return Output((Text(f"[{_FRESH.format(folder=self.folder)}]"),))
            asked = given.count(arguments, "timeout_ms") or _ms(self.limits.command_timeout)
            return await self._answer(
                access.target, min(asked, _ms(self.limits.command_timeout_most)), progress
            )

    async def close(self) -> None:
        """End the shell with everything that still runs in it."""
        await self._end()

    async def _answer(self, command: str, timeout_ms: int, progress: Progress) -> Output:
        capture = Capture(self.limits, self.spill)
        ended: Ended | None = None
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                ended = await self._run(command, capture, progress)
        except TimeoutError:
            await self._end()
            why = f"killed after {timeout_ms:,} ms with all that it started"
        except asyncio.CancelledError:
            self._news = (
                f"[the last command was interrupted: {_FRESH.format(folder=self.folder)}]\n"
            )
            await self._end()
            capture.finish()
            raise
        else:
            why = f"exit status {ended.status}" if ended.status else ""
        notes = [why] if why else []
        if ended is None or not ended.alive:
            await self._end()
            notes.append(_FRESH.format(folder=self.folder))
        news, self._news = self._news, ""
        text = _with_notes(news + capture.finish(), notes)
        return Output((Text(text),), failed=ended is None or ended.status != 0)

    async def _run(self, command: str, capture: Capture, progress: Progress) -> Ended:
        if self._shell is not None and not self._shell.alive:
            await self._end()
            self._news = f"[the shell had ended: {_FRESH.format(folder=self.folder)}]\n"
        if self._shell is None:
            self._shell = await Shell.start(self.folder, self.env)
        ended = Ended(0, alive=False)
        async for piece in self._shell.run(command):
            match piece:
                case bytes():
                    if lines := capture.add(piece):
                        progress(lines)
                case Ended():
                    ended = piece
        return ended

    async def _end(self) -> None:
        shell, self._shell = self._shell, None
        if shell is not None:
            # Shielded: a second interrupt must not leave half of it running.
            await asyncio.shield(asyncio.ensure_future(shell.end()))


def _ms(duration: str) -> int:
    return int(seconds(duration) * 1_000)


def _check_sendable(command: str) -> None:
    if "\0" in command:
        raise ToolError("command holds a null character")
    try:
        command.encode()
    except UnicodeEncodeError as error:
        raise ToolError("command holds half a character (a lone surrogate)") from error


def _with_notes(text: str, notes: list[str]) -> str:
    lines = [text.removesuffix("\n")] if text.strip() else []
    return "\n".join((*lines, *(f"[{note}]" for note in notes))) or "[no output]"
