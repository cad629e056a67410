"""The commands that only make sense on a screen, and the help for all of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from octochat.frontends.tui.input.completion import CommandHelp

if TYPE_CHECKING:
    from octochat.frontends.tui.app import Octochat
    from octochat.frontends.tui.main_pane import MainPane

OWN: tuple[CommandHelp, ...] = (
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


def carry_out(app: "Octochat", room: "MainPane", text: str) -> bool:
    """Do what a command of the screen says; False if the text is none."""
    word, _, rest = text.partition(" ")
    rest = rest.strip()
    match word:
        case "/quit" | "/exit":
            app.leave()
        case "/resume":
            app.open(rest) if rest else app.choose()
        case "/find":
            room.find(rest)
        case "/copy":
            room.copy_answer()
        case "/theme" if rest in app.available_themes:
            app.theme = rest
        case "/theme":
            app.search_themes()
        case "/context":
            app.look_at_context()
        case "/whatif":
            app.compare()
        case "/help":
            app.help()
        case _:
            return False
    return True


def all_commands() -> tuple[CommandHelp, ...]:
    """Every command, those of the session first."""
    from octochat.commands.say import COMMANDS  # not before the first paint

    theirs = tuple(CommandHelp(c.name, c.usage, c.help, (), c.name in AT_ONCE) for c in COMMANDS)
    return (*theirs, *OWN)
