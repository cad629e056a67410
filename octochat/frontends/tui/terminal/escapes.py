"""Tells an Escape that a person pressed from one that begins a sequence or stands for Alt.

Without the newer keyboard protocols a terminal sends Escape and a letter for Alt and that letter:
the very bytes of the two keys one after the other, as they come together over ssh. Textual always
takes them for Alt. What the terminal itself reports is no key at all. It knows nothing of what
becomes of the keys.
"""

import re
from collections.abc import Callable, Container, Iterator

from textual import constants
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.events import Key, Paste

from octochat.frontends.tui.terminal.reports import BEGUN, REPORT, SECONDS

ESCAPE = "\x1b"
BEGIN = "[]OPX^_\\"
"""What stands after the Escape of a sequence."""
NAMES = {"<": "less_than_sign", ">": "greater_than_sign"}
"""Textual's names of the characters that no letters are."""
_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"
"""What stands before and after a paste."""
_FOUND = re.compile(rf"\x1b(?=([^\x00-\x1a\x1c-\x1f\x7f{re.escape(BEGIN)}])|\Z)")
"""An Escape before a character that begins no sequence, or before a paste."""
_CUT = re.compile(r"\x1b(\[[\d;]*|\]\d*|[P_])?\Z")
"""An Escape, or the first part of a report or of what begins or ends a paste, at the end of a
piece."""


class Escapes:
    """What is typed, piece by piece."""

    def __init__(self, bound: Callable[[], Container[str]]) -> None:
        """`bound` gives the names of the keys that mean something now."""
        self._bound = bound
        self.held = ""
        """What came last, if what follows soon tells what it is."""
        self._reported = False
        """A report came in the last piece: what is held is hardly a key."""
        self._parted = False
        """An Escape was given as a key, but what it may have begun is still to come."""
        self._pasted: list[str] | None = None
        """What has come of a paste; None outside of one."""

    def take(self, typed: str) -> Iterator[str | Key | Paste]:
        """What was just typed: keys, pastes, and text that is to be parsed; nothing is empty.

        Alt and a letter come in one piece; after an Escape at the end of a piece only a sequence
        can go on in the next. Pastes are not parsed: two megabytes would take seconds.
        """
        if self.held == ESCAPE and self._pasted is None and typed[0] not in BEGIN:
            yield from self.settle()
        if self._parted and self._pasted is None:
            typed, self.held = self._reunited(self.held.removeprefix(ESCAPE) + typed), ""
        typed, self.held = self.held + typed, ""
        while typed:
            part, mark, typed = typed.partition(_PASTE if self._pasted is None else _PASTED)
            if self._pasted is None:
                part, reports = REPORT.subn("", part)
                self._reported = reports > 0
            if not mark and (cut := BEGUN.search(part) or _CUT.search(part)):
                self.held = cut[0]
                part = part.removesuffix(self.held)
            if self._pasted is None:
                yield from self._keys(part)
                self._pasted = [] if mark else None
                continue
            self._pasted.append(part)
            if mark:
                yield Paste("".join(self._pasted))
                self._pasted = None

    @property
    def patience(self) -> float:
        """Seconds to wait for what follows what is held."""
        slow = self._reported or BEGUN.match(self.held)
        return SECONDS if slow else constants.ESCAPE_DELAY

    def settle(self) -> Iterator[str | Key]:
        """Nothing has followed: an Escape that is held was a key, half a report is none.

        A paste always goes on.
        """
        if self.held and self._pasted is None:
            held, self.held, self._reported = self.held, "", False
            given, self._parted = self._parted, held == ESCAPE
            if held == ESCAPE:
                yield Key("escape", ESCAPE)
            elif not BEGUN.match(held):
                yield held.removeprefix(ESCAPE) if given else held

    def _reunited(self, typed: str) -> str:
        """What follows an Escape that was given as a key, with it if more than a key began there.

        Over a slow line a report or a paste may come later than any patience with an Escape.
        """
        whole = ESCAPE + typed
        self._parted = bool(_CUT.match(whole))  # too short to tell
        begun = REPORT.match(whole) or BEGUN.match(whole) or whole.startswith(_PASTE)
        return whole if begun or self._parted else typed

    def _keys(self, typed: str) -> Iterator[str | Key]:
        at = 0
        for found in _FOUND.finditer(typed):
            if key := self._key(found[1] or ""):
                yield from _text(typed[at : found.start()])
                yield key
                at = found.start() + (1 if key.key == "escape" else 2)
        yield from _text(typed[at:])

    def _key(self, after: str) -> Key | None:
        """The key that an Escape before this is; None where both are parsed with what follows."""
        if (alt := f"alt+{NAMES.get(after, after)}") in self._bound():
            return Key(alt, None)
        letter = after == ESCAPE or after.isalpha()
        if after and not letter and ESCAPE + after in ANSI_SEQUENCES_KEYS:
            return None
        return Key("escape", ESCAPE)


def _text(typed: str) -> Iterator[str]:
    if typed:
        yield typed
