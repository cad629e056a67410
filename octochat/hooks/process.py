"""Runs one hook's command: input on stdin, both outputs, a time limit, and nothing left behind.

It knows nothing of events.
"""

import asyncio
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from octochat.tools.processes import end_all

KEPT = 200_000
"""Bytes that are kept of what a hook prints, of each of its two outputs."""
FLOOD = 50_000_000
"""Bytes of output after which it is ended."""
_LOOK = 0.2
"""Seconds that outputs may stay open behind a command that has ended."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command."""

    status: int | None
    """Its exit status; None where it was ended or could not be started."""
    out: str = ""
    err: str = ""
    seconds: float = 0.0
    ended: str = ""
    """Why it was ended or could not be started; empty where it ended by itself."""


class _Gathering(asyncio.SubprocessProtocol):
    """Gathers what a process prints."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.printed: dict[int, bytearray] = {1: bytearray(), 2: bytearray()}
        self.total: int = 0
        self.exited: asyncio.Future[str] = loop.create_future()
        """Its result says why the process is to be ended; empty where it has ended."""
        self.closed: asyncio.Future[None] = loop.create_future()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.total += len(data)
        kept = self.printed[fd]
        kept += data[: KEPT - len(kept)]
        if self.total > FLOOD and not self.exited.done():
            self.exited.set_result(f"it printed over {FLOOD / 1e6:.0f} MB")

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result("")

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if not self.closed.done():
            self.closed.set_result(None)

    def text(self, fd: int) -> str:
        """What was printed."""
        return self.printed[fd].decode("utf-8", "replace")


def words_of(command: str, args: Sequence[str] | None, env: Mapping[str, str]) -> Sequence[str]:
    """What is started: the program with its arguments, or a shell with the line."""
    if args is not None:
        folder = env.get("CLAUDE_PROJECT_DIR", "")
        program = command.replace("${CLAUDE_PROJECT_DIR}", folder)
        return (program.replace("$CLAUDE_PROJECT_DIR", folder), *args)
    shell = shutil.which("bash", path=env.get("PATH", os.defpath)) or "/bin/sh"
    return (shell, "-c", command)


async def run(
    words: Sequence[str], given: str, folder: Path, env: Mapping[str, str], most: float
) -> Ran:
    """Run it. A cancellation ends it with all that it started.

    Args:
        words: the program and its arguments.
        given: its standard input.
        folder: where it runs.
        env: all variables that it sees.
        most: seconds after which it is ended.
    """
    begun, loop = monotonic(), asyncio.get_running_loop()
    try:
        transport, gathering = await loop.subprocess_exec(
            _Gathering, *words, cwd=folder, env=env, start_new_session=True
        )
    except (OSError, ValueError) as error:
        return Ran(None, ended=f"it can't be started: {error}")
    number, ended = transport.get_pid(), ""
    try:
        _hand_over(transport, given)
        try:
            async with asyncio.timeout(most):
                ended = await gathering.exited
        except TimeoutError:
            ended = f"it was killed after {most:g} s"
        if not ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):
                    await gathering.closed
    finally:
        if transport.get_returncode() is None:
            # Shielded: a second interrupt must not leave half of it running.
            await asyncio.shield(asyncio.ensure_future(end_all(number)))
        transport.close()
    status = None if ended else transport.get_returncode()
    took = monotonic() - begun
    return Ran(status, gathering.text(1), gathering.text(2), took, ended)


def _hand_over(transport: asyncio.SubprocessTransport, given: str) -> None:
    pipe = transport.get_pipe_transport(0)
    if isinstance(pipe, asyncio.WriteTransport):
        pipe.write(given.encode("utf-8", "replace"))
        pipe.close()
