"""The tool that runs commands in a shell which lasts from call to call."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import ClassVar, Self

from octochat.context.codec.bounds import seconds
from octochat.context.session.content import Text
from octochat.context.session.events import ToolDefinition
from octochat.text.figures import seconds as seconds_of
from octochat.text.harmless import one_line
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.capture import Capture
from octochat.tools.changed_files import ChangedFiles
from octochat.tools.enclosed import ARGUMENTS, Enclosed
from octochat.tools.limits import Limits, Spill
from octochat.tools.seen import Seen
from octochat.tools.shell import Ended, Shell, environment
from octochat.tools.tool_context import ToolContext

_FRESH = "a new shell is in {folder}; variables, functions and background processes are gone"

_OUTDATED = "a file that the sandbox keeps away or as it is was replaced from outside"


def _spec(limits: Limits, more: Mapping[str, Mapping[str, object]]) -> ToolDefinition:
    usual, most = _ms(limits.command_timeout), _ms(limits.command_timeout_most)
    return ToolDefinition(
        name=Bash.name,
        description=(
            "Run a command in bash. Directory, variables and background processes last from call "
            "to call. Standard input is empty and there is no terminal. You get output and errors "
            "together, and at last exit status and duration. For files use read, glob (not ls or "
            "find), grep and edit."
        ),
        schema=given.schema(
            [],
            command={
                "type": "string",
                "description": "Needed unless restart.",
            },
            timeout_ms={
                "type": "integer",
                "minimum": 0,
                "description": (
                    "Milliseconds until the command is killed with all that it started: "
                    f"{usual:,} if left out, {most:,} at most. Start what takes longer in the "
                    "background, its output in a file."
                ),
            },
            restart={
                "type": "boolean",
                "description": "End the shell and start a new one instead.",
            },
            **more,
        ),
    )


@dataclass(slots=True)
class Bash:
    """Runs commands, one at a time."""

    name: ClassVar[str] = "bash"

    folder: Path
    """Where the shell starts."""
    spill: Spill
    limits: Limits
    env: Mapping[str, str]
    """What commands see as their environment."""
    seen: Seen
    enclosed: Enclosed
    lasts: bool = True
    """Whether the shell is there for more than one command."""
    _shell: Shell | None = None
    _place: Path = Path()
    """Where the shell was after its last command."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        env = environment(place.environment, place.limits.pass_environment)
        folder = place.roots.folder
        enclosed = Enclosed(place.sandbox, folder)
        return cls(folder, place.spill, place.limits, env, place.seen, enclosed)

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _spec(self.limits, ARGUMENTS if self.enclosed.on else {})

    def access(self, arguments: Arguments) -> Access:
        """The command line that would run."""
        given.known(arguments, ("command", "timeout_ms", "restart", *ARGUMENTS))
        given.count(arguments, "timeout_ms")
        if given.flag(arguments, "restart"):
            return Access(kind="none", target="restart the shell")
        command = given.text(arguments, "command")
        if not command.strip():
            raise ToolError("command is empty")
        _check_sendable(command)
        self.enclosed.check()
        outside = self.enclosed.outside(arguments)
        free = self.enclosed.free and not outside
        return Access("run", command, place=self._where, sandboxed=free, outside=outside)

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Run it. Nothing of it goes on after a timeout or an interrupt, which both tell what came.

        Raises:
            ToolError: it took too long, or the person interrupted it.
        """
        async with self._turn:
            if access.kind == "none":
                await self._end()
                return Output((Text(f"[{self._fresh}]"),))
            asked = given.count(arguments, "timeout_ms") or _ms(self.limits.command_timeout)
            if access.place not in (None, self._where):
                raise ToolError("the shell has moved meanwhile: nothing was run")
            most = min(asked, _ms(self.limits.command_timeout_most))
            if access.outside:
                return await self._outside(access.target, most, progress)
            return await self.answer(access.target, most, progress)

    def apart(self) -> Self:
        """The same in a shell of its own, which begins in the working folder."""
        return replace(self, lasts=False, _shell=None, _turn=asyncio.Lock())

    async def close(self) -> None:
        """End the shell with everything that still runs in it."""
        await self._end()

    @property
    def _where(self) -> Path:
        """Where the next command starts."""
        alive = self._shell is not None and self._shell.alive
        return self._place if alive else self.folder

    async def _outside(self, command: str, timeout_ms: int, progress: Progress) -> Output:
        """Run it without the sandbox, in a shell that ends with it."""
        place = self._where if self._where.is_dir() else self.folder
        none = Enclosed(None, place)
        once = replace(self, folder=place, enclosed=none, lasts=False, _shell=None)
        try:
            return await once.answer(command, timeout_ms, progress)
        finally:
            await once.close()

    async def answer(self, command: str, timeout_ms: int, progress: Progress) -> Output:
        """Run a command and tell how it went.

        Raises:
            ToolError: as `run`.
        """
        capture, began = Capture(self.limits, self.spill), monotonic()
        changed = ChangedFiles.from_now(self.seen, self.folder, self.limits.file_bytes)

        def told(how: str, *more: str, failed: bool = True) -> str:
            """What came, and how it ended."""
            text = capture.finish()
            self.enclosed.clear()
            walls = self.enclosed.told(failed=failed, printed=text)
            took = f"{how} {seconds_of(monotonic() - began)}"
            return _ended(text, took, capture.left_out, (*more, *walls, changed.told()))

        try:
            async with asyncio.timeout(timeout_ms / 1000):
                ended = await self._run(command, capture, progress)
        except TimeoutError:
            await self._end()
            raise ToolError(told("timed out after", *self._way_on(timeout_ms))) from None
        except asyncio.CancelledError:
            await self._end()
            raise ToolError(told("interrupted by the person after", self._fresh)) from None
        if not ended.alive:
            await self._end()
        news = self._moved(ended.folder) if ended.alive else self._fresh
        failed = ended.status != 0 or not ended.alive
        text = told(f"exit {ended.status} in", news, failed=failed)
        return Output((Text(text),), failed=failed)

    @property
    def _fresh(self) -> str:
        return _FRESH.format(folder=self.folder) if self.lasts else ""

    def _way_on(self, timeout_ms: int) -> Sequence[str]:
        most = _ms(self.limits.command_timeout_most)
        longer = f", or give a longer timeout_ms ({most:,} at most)" if timeout_ms < most else ""
        return (
            "it was killed with all that it started",
            f"to go on, run it in the background with its output in a file{longer}",
            self._fresh,
        )

    def _moved(self, folder: str) -> str:
        """That the shell is in another folder than before the command; else empty."""
        here = Path(os.path.realpath(folder))
        if here == self._place or not self.lasts:
            return ""
        self._place = here
        if here == self.folder:
            return "bash is back in the working folder"
        inside = here.is_relative_to(self.folder)
        shown = one_line(str(here.relative_to(self.folder) if inside else here))
        return f"bash is now in {shown}, the other tools are not"

    async def _run(self, command: str, capture: Capture, progress: Progress) -> Ended:
        if self._shell is not None and not self._shell.alive:
            await self._end()
            capture.add(f"[the shell had ended: {self._fresh}]\n".encode())
        if self.enclosed.outdated:
            await self._end()
            capture.add(f"[{_OUTDATED}: {self._fresh}]\n".encode())
        if self._shell is None:
            self._shell = await self._started()
            self._place = self.folder
        ended = Ended(0, alive=False)
        async for piece in self._shell.run(command):
            match piece:
                case bytes():
                    if lines := capture.add(piece):
                        progress(lines)
                case Ended():
                    ended = piece
        return ended

    async def _started(self) -> Shell:
        if not self.enclosed.on:
            return await Shell.start(self.folder, self.env)
        within = await asyncio.to_thread(self.enclosed.put_up, self.env)
        return await Shell.start(self.folder, within.env, within.words)

    async def _end(self) -> None:
        shell, self._shell = self._shell, None
        if shell is not None:
            # Shielded: a second interrupt must not leave half of it running.
            await asyncio.shield(asyncio.ensure_future(shell.end()))
            self.enclosed.clear(ended=True)


def _ms(duration: str) -> int:
    return int(seconds(duration) * 1_000)


def _check_sendable(command: str) -> None:
    if "\0" in command:
        raise ToolError("command holds a null character")
    try:
        command.encode()
    except UnicodeEncodeError as error:
        raise ToolError("command holds half a character (a lone surrogate)") from error


def _ended(text: str, how: str, left_out: int, more: Sequence[str]) -> str:
    """What was printed, and the one last line that every result has (`tool_marks.unmarked`)."""
    cut = f"{left_out:,} characters left out" if left_out else ""
    facts = [how, "" if text.strip() else "no output", cut, *more]
    lines = [text.removesuffix("\n")] if text.strip() else []
    return "\n".join((*lines, f"[{'; '.join(filter(None, facts))}]"))
