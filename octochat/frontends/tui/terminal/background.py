"""Asking the terminal for its background, before the screen is taken over.

The question (OSC 11) is followed by one that every terminal answers (DA1), so that nothing is
waited for where the first is not understood. All that is read meanwhile is given on: a person may
be typing already, and half an answer must meet its other half.
"""

import os
import re
import select
import sys
import termios
import time
import tty
from collections.abc import Callable

from octochat.frontends.tui.terminal.info import Ground, TerminalInfo

_QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
_COLOUR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)")
_LAST = re.compile(rb"\x1b\[\?[\d;]*c")
PATIENCE = 0.06
"""Seconds until the terminal counts as silent."""


def ground_of(
    terminal: TerminalInfo, ask: Callable[[], bytes] | None = None
) -> tuple[Ground | None, bytes]:
    """Light or dark, as COLORFGBG or else the terminal says, and all that was read to know it.

    None where nobody knows. Over ssh nothing is asked: the answer would come too late.
    """
    if terminal.ground or terminal.ssh:
        return terminal.ground, b""
    heard = (ask or terminal_answer)()
    return ground_in(heard), heard


def ground_in(answer: bytes) -> Ground | None:
    """What the answer to the question says."""
    found = _COLOUR.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    # The weights of ITU-R BT.709 for how bright a colour looks.
    return "light" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 1 / 2 else "dark"


def terminal_answer() -> bytes:
    """What the terminal answers; nothing where there is none or it says nothing in time."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return b""
    number = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(number)
    except termios.error:
        return b""
    try:
        tty.setcbreak(number, termios.TCSANOW)
        os.write(sys.stdout.fileno(), _QUESTION)
        return _heard(number)
    except OSError:
        return b""
    finally:
        termios.tcsetattr(number, termios.TCSANOW, before)


def _heard(number: int) -> bytes:
    heard = b""
    until = time.monotonic() + PATIENCE
    while not _LAST.search(heard) and (left := until - time.monotonic()) > 0:
        if not select.select([number], [], [], left)[0]:
            break
        piece = os.read(number, 256)
        if not piece:
            break
        heard += piece
    return heard
