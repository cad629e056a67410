"""The commands that only make sense on a screen, and the keys, as data. It carries out nothing."""

from collections.abc import Mapping

from octochat.frontends.tui.input.completion import CommandHelp

SCREEN_COMMANDS: tuple[CommandHelp, ...] = (
    CommandHelp("resume", "[ID]", "go on with an earlier session"),
    CommandHelp("find", "[TEXT]", "find a text in the whole transcript", at_once=True),
    CommandHelp("copy", "", "copy the last answer", at_once=True),
    CommandHelp("theme", "[NAME]", "other colours", at_once=True),
    CommandHelp("whatif", "", "what every other strategy would have cost here", at_once=True),
    CommandHelp("quit", "", "leave; the session can be resumed", at_once=True),
)
"""What the terminal interface does by itself."""

AT_ONCE = frozenset({"help", "info", "context"})
"""Commands of the session that only look: they need not wait for the model."""

KEYS = (
    ("PgUp PgDn", "turn the pages of the transcript"),
    ("Ctrl+Home Ctrl+End", "the first card; the end, and stay there"),
    ("Ctrl+F", "find in the transcript, what is folded included; Tab stays there, Esc goes back"),
    ("Ctrl+↑", "walk through the cards; Esc goes back to the input"),
    ("↑ ↓", "there: the card above, the card below"),
    ("Enter", "there: open or close the card; M shows all of it"),
    ("Y, C", "there: copy the card; copy the code in it, piece by piece"),
    ("Ctrl+C", "copy what is selected, else stop, else (twice) leave"),
    ("F1", "this help, from anywhere"),
    ("Ctrl+P", "all that the terminal interface can do"),
)
"""Keys of the transcript and of the whole app."""
EMACS: Mapping[str, str] = {"Ctrl+P": "Alt+X", "Ctrl+F": "Ctrl+S"}
"""Those that differ where the input has emacs' keys."""


def looks_only(text: str) -> bool:
    """Whether it is a command that changes nothing, so that it need not wait for the model."""
    word = text.split(maxsplit=1)[0] if text.split() else ""
    return word.startswith("/") and word[1:] in AT_ONCE
