r"""What a terminal is told beyond text: clipboard, title, notification, bell.

Pure: it makes the bytes and sends nothing. Foreign text is made harmless first, so that a title
can't end its sequence early.
"""

import base64

from octochat.frontends.tui.terminal.info import TerminalInfo
from octochat.text.harmless import harmless

BELL = "\a"
_LONGEST_COPY = 74_994
"""Bytes: 100,000 of base64 with what is around them, the most that xterm takes."""
_LONGEST_WORDS = 200
_TALKING = {
    "iterm.app": "9",
    "iterm2": "9",
    "wezterm": "9",
    "ghostty": "9",
    "kitty": "99",
    "foot": "777",
    "vte": "777",
    "rxvt-unicode": "777",
    "rxvt-unicode-256color": "777",
}
"""Terminals that show notifications, and the number of the sequence that each understands."""


def copying(text: str, terminal: TerminalInfo) -> str:
    """OSC 52, which puts a text into the clipboard of the terminal; empty where it is too long."""
    raw = text.encode()
    if len(raw) > _LONGEST_COPY:
        return ""
    return through(f"\x1b]52;c;{base64.b64encode(raw).decode()}\a", terminal)


def titling(title: str) -> str:
    """OSC 2, which sets the window's title (inside tmux, the pane's)."""
    return f"\x1b]2;{_words(title)}\a"


KEEP_TITLE = "\x1b[22;2t"
"""Asks the terminal to remember its title."""
GIVE_TITLE_BACK = "\x1b[23;2t"


def notifying(title: str, body: str, terminal: TerminalInfo) -> str:
    """A notification where the terminal is known to show them, else nothing."""
    words, more = _words(title), _words(body)
    match _TALKING.get(terminal.terminal):
        case "9":
            sequence = f"\x1b]9;{words}: {more}\a"
        case "99":
            sequence = f"\x1b]99;i=octochat:d=0;{words}\x1b\\\x1b]99;i=octochat:p=body;{more}\x1b\\"
        case "777":
            sequence = f"\x1b]777;notify;{words.replace(';', ',')};{more.replace(';', ',')}\a"
        case _:
            return ""
    return through(sequence, terminal)


def through(sequence: str, terminal: TerminalInfo) -> str:
    """The sequence for the terminal outside, where tmux stands between."""
    if not terminal.tmux:
        return sequence
    return f"\x1bPtmux;{sequence.replace(chr(27), chr(27) * 2)}\x1b\\"


def _words(text: str) -> str:
    return " ".join(harmless(text).split())[:_LONGEST_WORDS]
