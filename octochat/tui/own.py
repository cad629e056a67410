"""The commands that only make sense on a screen, and the help for all of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from octochat.tui.complete import CommandHelp

if TYPE_CHECKING:
    from octochat.tui.app import Octochat
    from octochat.tui.room import Room

OWN: tuple[CommandHelp, ...] = (
    CommandHelp("clear", "", "begin a new session; this one can be resumed"),
    CommandHelp("resume", "[ID]", "go on with an earlier session"),
    CommandHelp("find", "[TEXT]", "find a text in the whole transcript", at_once=True),
    CommandHelp("copy", "", "copy the last answer", at_once=True),
    CommandHelp("theme", "[NAME]", "other colours", at_once=True),
    CommandHelp("quit", "", "leave; the session can be resumed", at_once=True),
)
"""What the terminal interface does by itself."""

AT_ONCE = frozenset({"help", "info", "context"})
"""Commands of the session that only look: they need not wait for the model."""

KEYS = (
    ("Enter", "send; Shift+Enter, Alt+Enter or \\ at the end: a new line"),
    ("Esc", "stop the model or the tool; twice at rest: back to an earlier prompt"),
    ("↑ ↓", "earlier prompts, or what waits to be sent; Ctrl+R searches them"),
    ("Ctrl+G", "write in $EDITOR; @ completes files, ! runs a shell line"),
    ("PgUp PgDn", "turn the transcript's pages; Ctrl+Home, Ctrl+End: first, last"),
    ("Ctrl+F", "find in the transcript, what is folded included"),
    ("Ctrl+↑", "walk through the cards: ↑ ↓, Enter opens, m all, y copies, c copies code"),
    ("Ctrl+C", "copy what is selected, else stop, else (twice) leave"),
    ("Ctrl+P", "all that the terminal interface can do"),
)


def carry_out(app: "Octochat", room: "Room", text: str) -> bool:
    """Do what a command of the screen says; False if the text is none."""
    word, _, rest = text.partition(" ")
    match word:
        case "/quit" | "/exit":
            app.leave()
        case "/clear":
            app.open(None)
        case "/resume" if rest.strip():
            app.open(rest.strip())
        case "/find":
            room.find(rest.strip())
        case "/copy":
            room.copy_answer()
        case "/theme" if rest.strip() in app.available_themes:
            app.theme = rest.strip()
        case "/theme":
            app.search_themes()
        case "/help":
            room.transcript.report(helped(app.prompt.commands))
        case _:
            return False
    return True


def all_commands() -> tuple[CommandHelp, ...]:
    """Every command, those of the session first."""
    from octochat.commands import COMMANDS  # noqa: PLC0415  # not before the first paint

    theirs = tuple(CommandHelp(c.name, c.usage, c.help, (), c.name in AT_ONCE) for c in COMMANDS)
    return (*theirs, *OWN)


def helped(commands: Sequence[CommandHelp]) -> str:
    """`/help`: commands and keys, in columns."""
    rows = [(f"/{c.name} {c.usage}".rstrip(), c.help) for c in commands]
    width = max(len(left) for left, _ in (*rows, *KEYS))
    lines = [f"{left:<{width}}  {right}" for left, right in rows]
    keys = [f"{left:<{width}}  {right}" for left, right in KEYS]
    return "\n".join(("Commands", *lines, "", "Keys", *keys))
