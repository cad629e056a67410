"""A command line that the person runs, beside the conversation: the model does not see it.

It knows nothing of the screen. The command has no terminal, so nothing of it can draw on ours.
"""

import asyncio
import os
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from select import select
from time import monotonic

MOST = 200_000
"""Bytes of output that are kept, of its end."""
FLOOD = 100_000_000
"""Bytes of output after which it is ended."""
LIMIT = 120.0
"""Seconds after which it is ended."""
ROUND = 0.1
"""Seconds without output after which it is looked at whether it has ended or is to end."""
PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What came of a command line."""

    output: str
    """The end of what it printed."""
    left_out: int
    """Bytes of output before that."""
    status: int
    """Its exit status; negative: the signal that ended it."""
    seconds: float
    ended: str = ""
    """Why it was ended; empty where it ended by itself."""


async def run(command: str, folder: Path) -> ShellResult:
    """Run it in the person's shell. A cancellation ends it, and what came is still given back."""
    stop = threading.Event()
    running = asyncio.ensure_future(asyncio.to_thread(_run, command, folder, stop))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        return await running


def _run(command: str, folder: Path, stop: threading.Event) -> ShellResult:
    begun, output, total, why = monotonic(), bytearray(), 0, ""
    with subprocess.Popen(
        [os.environ.get("SHELL", "/bin/sh"), "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        number = process.stdout.fileno()
        while not why:
            if select([number], [], [], ROUND)[0]:
                piece = os.read(number, PIECE)
                if not piece:
                    break
                total += len(piece)
                output += piece
                del output[:-MOST]
            elif process.poll() is not None:
                break  # what it left in the background goes on
            why = _reason(stop, monotonic() - begun, total)
        if why:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        status = process.wait()
    text = output.decode(errors="replace")
    return ShellResult(text, total - len(output), status, monotonic() - begun, why)


def _reason(stop: threading.Event, seconds: float, total: int) -> str:
    if stop.is_set():
        return "stopped"
    if seconds > LIMIT:
        return f"ended after {LIMIT:.0f} s"
    return f"ended after {FLOOD / 1e6:.0f} MB" if total > FLOOD else ""
