"""A persistent bash: directory and variables last from command to command.

It knows nothing of models or permissions.
"""

import asyncio
import os
import re
import secrets
import shlex
import shutil
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from octochat.text.secrets import masked, names_secret
from octochat.tools.base import ToolError
from octochat.tools.failures import reason
from octochat.tools.lifeline import Lifeline
from octochat.tools.processes import end_all, end_orphans

_CHUNK = 65_536
_LOOK = 0.2
"""Seconds between two looks whether the shell itself has ended."""
_OWN_SECRETS = re.compile(r"ANTHROPIC_|CLAUDE_CODE_|OCTOCHAT_\w*(KEY|TOKEN|SECRET|PASSWORD)")
_MEDDLING = frozenset(
    {"BASH_ENV", "BASHOPTS", "SHELLOPTS", "CDPATH", "GLOBIGNORE", "RIPGREP_CONFIG_PATH"}
    | {"GREP_OPTIONS", "POSIXLY_CORRECT"}
)
_SETTINGS = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}


def environment(inherited: Mapping[str, str], passed: Iterable[str] = ()) -> dict[str, str]:
    """What commands see: the person's environment without what looks like a secret.

    `passed` are names, or patterns of them, that they see all the same. They never see what
    would run a file in every new shell (`BASH_ENV`), or change what a command line means that
    the rules have looked at (`CDPATH`, `RIPGREP_CONFIG_PATH`). No program may expect a terminal.
    Source: docs/permissions.md#secrets.
    """
    wanted = tuple(passed)
    kept = {
        name: value
        for name, value in inherited.items()
        if any(fnmatchcase(name, pattern) for pattern in wanted) or not _secret(name, value)
    }
    return {name: value for name, value in kept.items() if name not in _MEDDLING} | _SETTINGS


def _secret(name: str, value: str) -> bool:
    return bool(_OWN_SECRETS.match(name) or names_secret(name) or masked(value)[1])


@dataclass(frozen=True, slots=True)
class Ended:
    """A command is over."""

    status: int
    """Its exit status."""
    alive: bool
    """Whether the shell still runs (a command may have been `exit`)."""
    folder: str = ""
    """Where the shell is now; empty where it does not run."""


class Shell:
    """One bash process in a session of its own."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        transport: asyncio.SubprocessTransport,
        lifeline: Lifeline,
    ) -> None:
        self._process = process
        self._transport = transport
        self._lifeline = lifeline

    @classmethod
    async def start(
        cls, folder: Path, env: Mapping[str, str], before: Sequence[str] = ()
    ) -> "Shell":
        """Start it in a folder; `before` are words that stand before it, such as a sandbox.

        Raises:
            ToolError: there is no bash, or it can't be started there.
        """
        bash = shutil.which("bash", path=env.get("PATH", os.defpath))
        if bash is None:
            raise ToolError("there is no bash on the PATH: install it, or do without this tool")
        loop, lifeline = asyncio.get_running_loop(), Lifeline()
        try:
            # As create_subprocess_exec does it; but `end` needs the transport, to close pipes
            # that a process outside the session may hold open.
            transport, protocol = await loop.subprocess_exec(
                lambda: asyncio.subprocess.SubprocessStreamProtocol(_CHUNK, loop),
                *before,
                bash,
                "--noprofile",
                "--norc",
                "-P",  # `cd link/..` goes where the rules see it go
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                cwd=folder,
                env=env,
                start_new_session=True,
                pass_fds=(lifeline.end,),
            )
        except BaseException as error:
            lifeline.cut()
            if not isinstance(error, OSError):
                raise
            raise ToolError(f"bash can't be started in {folder}: {reason(error)}") from error
        finally:
            lifeline.inherited()
        shell = cls(asyncio.subprocess.Process(transport, protocol, loop), transport, lifeline)
        # The end mark goes to descriptor 9, which no command has: not even `exec >file` moves it.
        await shell._send(f"exec 9>&1\n{lifeline.watch}")
        return shell

    @property
    def alive(self) -> bool:
        """Whether it can take a command."""
        return self._process.returncode is None

    async def run(self, command: str) -> AsyncIterator[bytes | Ended]:
        """Run a command; yields what it prints as it comes, and at last an `Ended`.

        Standard input is empty. What background processes print comes with the next command.
        """
        nonce = secrets.token_hex(16)
        # Redirections on `eval` itself, not on a group around it: after a command with an
        # unclosed quote bash would take the group's end for an error.
        line = (
            f"eval {shlex.quote(command)} </dev/null >&9 2>&9 9>&-; "
            f"printf '\\036{nonce} %d %s\\036' $? \"$PWD\" >&9\n"
        )
        await self._send(line)
        async for piece in self._until(f"\x1e{nonce} ".encode()):
            yield piece

    async def end(self) -> None:
        """End it and everything that it started, but what left its session and its family."""
        await (end_all if self.alive else end_orphans)(self._process.pid)
        self._transport.close()
        self._lifeline.cut()

    async def _until(self, mark: bytes) -> AsyncIterator[bytes | Ended]:
        held = b""
        while data := await self._read():
            held += data
            before, found, after = held.partition(mark)
            if found and after.endswith(b"\x1e"):
                if before:
                    yield before
                status, _, folder = after[:-1].partition(b" ")
                yield Ended(int(status), alive=True, folder=os.fsdecode(folder))
                return
            # What may be the beginning of the mark waits for the rest of it.
            safe = len(before) if found else held.rfind(b"\x1e", -len(mark)) % (len(held) + 1)
            if safe:
                yield held[:safe]
            held = held[safe:]
        if held:
            yield held
        # Waiting takes for ever where a daemon holds the pipes; then the status is known already.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _LOOK)
        yield Ended(self._process.returncode or 0, alive=False)

    async def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        # If it died in between, reading tells.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(line.encode())
            await self._process.stdin.drain()

    async def _read(self) -> bytes:
        """The next piece; empty when the shell is gone, whoever still holds its output."""
        assert self._process.stdout is not None
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):
                    return await self._process.stdout.read(_CHUNK)
            if not self.alive:
                await end_orphans(self._process.pid)
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK):
                        return await self._process.stdout.read(_CHUNK)
                return b""
