"""Has the terminal mark what is pasted, from before the interface is loaded.

Textual asks for that only as it takes the screen over. Until then each line of a paste would look
like a prompt that was typed and sent.
"""

import os
import select
import sys
import termios
import tty
from collections.abc import Generator
from contextlib import contextmanager, suppress

_ON, _OFF = b"\x1b[?2004h", b"\x1b[?2004l"
_BEGIN, _END = b"\x1b[200~", b"\x1b[201~"
_MOST = 1 << 16
"""Bytes that are read."""


@contextmanager
def marked_pastes() -> Generator[bytes]:
    """Bracketed paste, as long as this lasts, where there is a terminal; gives what came before.

    Several lines of that are marked as the paste that they must have been: nobody types so fast.
    """
    there = sys.stdin.isatty() and sys.stdout.isatty()
    early = b""
    with suppress(OSError, termios.error):
        os.write(sys.stdout.fileno(), _ON * there)
        early = _waiting(sys.stdin.fileno()) if there else b""
    try:
        yield _BEGIN + early + _END if b"\n" in early.strip(b"\n") else early
    finally:
        with suppress(OSError):
            os.write(sys.stdout.fileno(), _OFF * there)


def _waiting(number: int) -> bytes:
    """What was typed or pasted already, unfinished lines included."""
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSANOW)
        return os.read(number, _MOST) if select.select([number], [], [], 0)[0] else b""
    finally:
        termios.tcsetattr(number, termios.TCSANOW, before)
