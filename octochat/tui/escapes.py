"""Tells an Escape that a person pressed from one that begins a sequence or stands for Alt.

Without the newer keyboard protocols a terminal sends Escape and a letter for Alt and that letter:
the very bytes of the two keys one after the other, as they come together over ssh. Textual always
takes them for Alt. It knows nothing of what becomes of the keys.
"""

import re
from collections.abc import Callable, Container, Iterator

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.events import Key

ESCAPE = "\x1b"
BEGIN = "[]OPX^_\\"
"""What stands after the Escape of a sequence."""
NAMES = {"<": "less_than_sign", ">": "greater_than_sign"}
"""Textual's names of the characters that no letters are."""
_PASTE = "\x1b[200~"
_FOUND = re.compile(rf"\x1b\[20[01]~|\x1b(?=([^\x00-\x1a\x1c-\x1f\x7f{re.escape(BEGIN)}]))")
"""The beginning or the end of a paste, or an Escape before a character that begins no sequence."""
_CUT = re.compile(r"\x1b(\[(20?[01]?)?)?\Z")
"""An Escape, or the first part of what begins or ends a paste, at the end of a piece."""


class Escapes:
    """What is typed, piece by piece."""

    def __init__(self, bound: Callable[[], Container[str]]) -> None:
        """`bound` gives the names of the keys that mean something now."""
        self._bound = bound
        self.held = ""
        """What came last, if what follows soon tells what it is."""
        self._pasting = False

    def take(self, typed: str) -> Iterator[str | Key]:
        """What was just typed, as keys and as text that is to be parsed; nothing of it is empty.

        Alt and a letter come in one piece; after an Escape at the end of a piece only a sequence
        can go on in the next.
        """
        if self.held == ESCAPE and typed[0] not in BEGIN:
            yield from self.settle()
        typed, self.held = self.held + typed, ""
        at = 0
        for found in _FOUND.finditer(typed):
            if key := self._key(found):
                yield from _text(typed[at : found.start()])
                yield key
                at = found.start() + (1 if key.key == "escape" else 2)
        rest = typed[at:]
        if cut := _CUT.search(rest):
            self.held = cut[0]
        yield from _text(rest.removesuffix(self.held))

    def settle(self) -> Iterator[str | Key]:
        """Nothing has followed: an Escape that is held was a key. A paste always goes on."""
        if self.held and not self._pasting:
            held, self.held = self.held, ""
            yield Key("escape", ESCAPE) if held == ESCAPE else held

    def _key(self, found: re.Match[str]) -> Key | None:
        """The key that an Escape is; None where it is to be parsed with what follows."""
        if found[0] != ESCAPE:
            self._pasting = found[0] == _PASTE
            return None
        after = found[1]
        if self._pasting:
            return None
        if (alt := f"alt+{NAMES.get(after, after)}") in self._bound():
            return Key(alt, None)
        if not (after == ESCAPE or after.isalpha()) and ESCAPE + after in ANSI_SEQUENCES_KEYS:
            return None
        return Key("escape", ESCAPE)


def _text(typed: str) -> Iterator[str]:
    if typed:
        yield typed
