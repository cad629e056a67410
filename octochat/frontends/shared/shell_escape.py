"""A command line that the person runs, beside the conversation.

Where octochat owns the screen, the output is captured; where it writes lines, the command has the
terminal to itself, to ask, draw and page.
"""

import asyncio
import codecs
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from select import select
from time import monotonic

from octochat.text import figures

MOST = 200_000
"""Bytes of output that are kept, of its end."""
FLOOD = 100_000_000
"""Bytes of output after which it is ended."""
LIMIT = 120.0
"""Seconds after which it is ended."""
ROUND = 0.1
"""Seconds without output after which it is looked at whether it has ended or is to end."""
PIECE = 1 << 16
NO_SHELL = "the shell can't be run"
STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What came of a command line."""

    status: int
    """Its exit status; negative: the signal that ended it."""
    seconds: float
    output: str = ""
    """The end of what it printed; empty where it printed on the terminal."""
    left_out: int = 0
    """Bytes of output before that."""
    ended: str = ""
    """Why it was ended, or did not begin; empty where it ended by itself."""

    @property
    def failed(self) -> bool:
        """Whether it went wrong or was ended."""
        return bool(self.status or self.ended)

    def facts(self, *others: str) -> tuple[str, ...]:
        """How it went, in words, with `others` before how long it took."""
        known = (self.ended or self._status(), *others, figures.seconds(self.seconds))
        return tuple(fact for fact in known if fact)

    @property
    def began(self) -> bool:
        """Whether there was a shell to run it."""
        return self.ended != NO_SHELL

    @property
    def words(self) -> str:
        """How it went, for one who was not there."""
        how = self.ended or self._status() or "exit 0"
        if how == STOPPED:
            return f"I stopped it after {figures.seconds(self.seconds)}"
        return how if self.ended else f"{how} in {figures.seconds(self.seconds)}"

    @property
    def printed(self) -> str:
        """The output, after a line that says how much of it is missing."""
        before = f"[{self.left_out / 1e6:,.1f} MB before this are not kept]\n"
        return (before if self.left_out else "") + self.output

    def _status(self) -> str:
        if self.status < 0:
            return f"ended by signal {-self.status}"
        return f"exit {self.status}" if self.status else ""


async def captured(
    command: str, folder: Path, tell: Callable[[str], object] = lambda _: None
) -> ShellResult:
    """Run it without a terminal. A cancellation ends it, and what came is still given back.

    `tell` is given what it prints, piece by piece, in another thread.
    """
    stop = threading.Event()
    running = asyncio.ensure_future(asyncio.to_thread(_captured, command, folder, stop, tell))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        return await running


def at_terminal(command: str, folder: Path) -> ShellResult:
    """Run it at this very terminal, which it has to itself until it ends."""
    begun = monotonic()
    try:
        with _ctrl_c_is_its_own():
            status = subprocess.run(_shell(command), cwd=folder, check=False).returncode
    except OSError as error:
        return _not_run(error)
    return ShellResult(status, monotonic() - begun)


def _shell(command: str) -> list[str]:
    return [os.environ.get("SHELL", "/bin/sh"), "-c", command]


def _not_run(error: OSError) -> ShellResult:
    """There is no such $SHELL, or the folder is gone."""
    return ShellResult(0, 0.0, str(error), ended=NO_SHELL)


@contextmanager
def _ctrl_c_is_its_own() -> Generator[None]:
    """Ctrl-C reaches every process of the terminal; while the command runs it is not for us.

    A function, not `SIG_IGN`, which the command would inherit.
    """
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _captured(
    command: str, folder: Path, stop: threading.Event, tell: Callable[[str], object]
) -> ShellResult:
    try:
        process = subprocess.Popen(
            _shell(command),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return _not_run(error)
    return _gathered(process, stop, tell)


def _gathered(
    process: subprocess.Popen[bytes], stop: threading.Event, tell: Callable[[str], object]
) -> ShellResult:
    begun, output, total, why = monotonic(), bytearray(), 0, ""
    letters = codecs.getincrementaldecoder("utf-8")("replace")
    with process:
        assert process.stdout is not None
        number = process.stdout.fileno()
        while not why:
            if select([number], [], [], ROUND)[0]:
                piece = os.read(number, PIECE)
                if not piece:
                    break
                total += len(piece)
                output += piece
                tell(letters.decode(piece))
                del output[:-MOST]
            elif process.poll() is not None:
                break  # what it left in the background goes on
            why = _reason(stop, monotonic() - begun, total)
        if why:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        status = process.wait()
    text = output.decode(errors="replace")
    return ShellResult(status, monotonic() - begun, text, total - len(output), why)


def _reason(stop: threading.Event, seconds: float, total: int) -> str:
    if stop.is_set():
        return STOPPED
    if seconds > LIMIT:
        return f"ended after {LIMIT:.0f} s"
    return f"ended after {FLOOD / 1e6:.0f} MB" if total > FLOOD else ""
