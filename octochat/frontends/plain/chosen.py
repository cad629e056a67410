"""Which session a person wants to go on with, asked for in lines."""

from octochat.commands.sessions import listing
from octochat.frontends.plain.keyboard import Keyboard
from octochat.frontends.plain.narrator import Narrator


def chosen(keyboard: Keyboard, narrator: Narrator) -> str | None:
    """The id of the session that the person names; None for a new one."""
    narrator.line(listing())
    narrator.line(
        "Which one? Type its ID, or the beginning of it; just Enter starts a new session."
    )
    try:
        return keyboard.answer() or None
    except EOFError:
        return None
