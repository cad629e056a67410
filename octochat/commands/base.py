"""What a slash command is, and what it may answer. It knows none of them."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from octochat.commands.spec import CommandSpec
from octochat.context.session.events import Entry
from octochat.models.port import Delta
from octochat.session.session import Session


@dataclass(frozen=True, slots=True)
class Report:
    """An answer for the person alone: shown, not stored, never sent."""

    text: str
    """Plain text; columns are aligned with spaces."""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The same for programs (`--output-format json`)."""
    draft: str = ""
    """What to put into the input, to be changed and sent."""


@dataclass(frozen=True, slots=True)
class Switched(Report):
    """The person goes on in another session: a front end opens it in place of this one.

    A front end that can't (the headless mode) shows the text, which names the session.
    """

    session: str | None = None
    """The session's id; None: a new one."""


@dataclass(frozen=True, slots=True)
class Refused(Report):
    """What was typed is no command, or one that can't be carried out as it stands.

    Nothing was done. Where nobody sits at a terminal it is a wrong use of octochat.
    """


Shown: TypeAlias = Entry | Delta | Report
Saying: TypeAlias = AsyncGenerator[Shown, None]


@dataclass(frozen=True, slots=True)
class Command(CommandSpec):
    """A slash command that the session carries out."""

    run: Callable[[Session, str], Saying]
    """Does it; the text is what follows the name."""


def simple(act: Callable[[Session, str], Shown]) -> Callable[[Session, str], Saying]:
    """A command that gives one answer."""

    async def run(session: Session, rest: str) -> Saying:
        yield act(session, rest)

    return run
