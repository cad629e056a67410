"""Makes text from tools, files and models harmless to a terminal. It knows nothing of widgets."""

import re

_SEQUENCE = re.compile(
    r"""
    (?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]                      # CSI: colours, cursor, modes
  | (?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])               # OSC, DCS, SOS, PM, APC ...
    [^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?               # ... up to their terminator
  | \x1b[ -/]*[0-~]                                       # two-character sequences
    """,
    re.VERBOSE,
)
_TURNING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""The marks that turn the direction of writing: they can make a command look like another one."""

_UNSEEN = (
    *(0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFEFF, 0xFFA0),
    *range(0x200B, 0x200E),
    *range(0x2060, 0x2065),
    *range(0x206A, 0x2070),
    *range(0xE0000, 0xE0080),
    *range(0xE0100, 0xE01F0),
)
"""What takes no room, tags and joiners: it can hide words from a reader, or part a name in two."""

_LOW = tuple(code for code in range(0x20) if chr(code) not in "\n\t")
_HIGH = tuple(range(0x7F, 0xA0))
_SPELLED = {code: f"<U+{code:04X}>" for code in _TURNING} | dict.fromkeys(
    range(0xD800, 0xE000),
    "\ufffd",  # half characters, such as undecodable file names have: they can't be written
)
_HARMLESS = _SPELLED | dict.fromkeys((*_LOW, *_HIGH), "")
_VISIBLE = (
    _SPELLED
    | {code: f"<U+{code:04X}>" for code in _UNSEEN}
    | {code: chr(0x2400 + code) for code in _LOW}
    | {code: f"<U+{code:04X}>" for code in _HIGH}
)


def harmless(text: str) -> str:
    r"""What a program printed, without what would drive a terminal.

    Escape sequences and control characters go (but `\n` and `\t`), a line that was overwritten
    after a carriage return shows its last form, and marks that turn the writing direction are
    spelled out.
    """
    text = _SEQUENCE.sub("", text.replace("\r\n", "\n"))
    if "\r" in text:
        text = "\n".join(map(_last_form, text.split("\n")))
    return text.translate(_HARMLESS)


def _last_form(line: str) -> str:
    """What stands there after the last carriage return that something follows."""
    return line.rstrip("\r").rpartition("\r")[2]


def without_sequences(text: str) -> str:
    """The text without escape sequences; everything else stays."""
    return _SEQUENCE.sub("", text)


def one_line(text: str) -> str:
    """A name or a path, visible and on one line."""
    return visible(text).replace("\n", "␊").replace("\t", "␉")


def visible(text: str) -> str:
    r"""What a file holds, with every control character (but `\n` and `\t`) as its picture.

    What takes no room, such as a zero-width space, is spelled out.

    Unlike `harmless` it leaves nothing out, so that a reader sees that something is there.
    """
    return text.replace("\r\n", "\n").translate(_VISIBLE)
