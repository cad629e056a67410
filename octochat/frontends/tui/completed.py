"""The commands with the words that may follow them in a session, for completing them."""

from collections.abc import Iterable
from dataclasses import replace

from octochat.commands.choices import TITLES
from octochat.commands.execute import commands_of
from octochat.commands.models import offered_models
from octochat.commands.spec import CommandSpec, together
from octochat.frontends.tui.input.completion import Mention
from octochat.frontends.tui.screen_commands import SCREEN_COMMANDS
from octochat.session.session import Session
from octochat.text.harmless import one_line


def completed(session: Session, themes: Iterable[str]) -> tuple[CommandSpec, ...]:
    """All commands; those that take a mode, a model, a skill or a theme know which there are."""
    options = {
        "mode": session.dials.modes,
        "model": tuple(model.name for model in offered_models(session)),
        "skill": session.skills.names,
        "theme": tuple(sorted(themes)),
    }
    return tuple(
        replace(each, options=options.get(each.name, each.options))
        for each in together(commands_of(session), SCREEN_COMMANDS)
    )


def mentioned(session: Session) -> tuple[Mention, ...]:
    """The resources of servers, which may stand behind an `@`."""
    standing = session.servers.standing if session.servers else ()
    return tuple(
        Mention(each.server, one_line(each.uri), one_line(each.description or each.name))
        for server in standing
        for each in server.resources
    )


def picks(text: str) -> bool:
    """Whether a text is a command that opens a list to choose from, which waits for nothing."""
    return text.strip().removeprefix("/") in TITLES and text.startswith("/")
