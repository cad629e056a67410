"""Has the terminal mark what is pasted, from before the interface is loaded.

Textual asks for that only as it takes the screen over. Until then each line of a paste would look
like a prompt that was typed and sent.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

_ON, _OFF = b"\x1b[?2004h", b"\x1b[?2004l"


@contextmanager
def marked_pastes() -> Generator[None]:
    """Bracketed paste, as long as this lasts; nothing where there is no terminal."""
    there = sys.stdin.isatty() and sys.stdout.isatty()
    with suppress(OSError):
        os.write(sys.stdout.fileno(), _ON * there)
    try:
        yield
    finally:
        with suppress(OSError):
            os.write(sys.stdout.fileno(), _OFF * there)
