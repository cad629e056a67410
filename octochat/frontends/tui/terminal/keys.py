"""Keys that Textual does not tell apart by itself."""

from collections.abc import MutableMapping
from typing import cast

import textual._ansi_sequences as ansi  # pyright: ignore[reportPrivateUsage] - there is no other way
from textual.keys import Keys

NEWLINE = frozenset({"shift+enter", "alt+enter", "ctrl+enter", "ctrl+j", "shift+\r", "alt+\r"})
"""Keys for a new line, as the different terminals send them."""


def teach_alt_enter() -> None:
    """Let Alt+Enter begin a new line in terminals without the newer keyboard protocols.

    There it arrives as Escape and Return, which Textual's table lacks: it drops the Escape, and
    the Return would send the prompt. Ctrl+J is the key that means a new line everywhere.
    """
    table = cast("MutableMapping[str, object]", ansi.ANSI_SEQUENCES_KEYS)
    table.setdefault("\x1b\r", (Keys.ControlJ,))
