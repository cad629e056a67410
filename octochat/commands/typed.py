"""What was typed, understood: one value for all that a person may say, whatever the front end.

Pure, and light enough for before the first paint. A leading space makes a prompt of anything.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from octochat.commands.spec import CommandSpec
from octochat.context.codec.errors import nearest
from octochat.skills.order import SkillOrder, order_in

if TYPE_CHECKING:
    from octochat.commands.base import Command

_NAMED = re.compile(r"""(?:^|(?<=[\s(\[{'`]))@(?:"([^"\n]+)"|([^\s@"]+))""")


@dataclass(frozen=True, slots=True)
class ShellLine:
    """A line for the person's own shell."""

    line: str
    """Without the `!`."""
    told: bool = True
    """What comes of it goes along with the next prompt; with `!!` it does not."""


@dataclass(frozen=True, slots=True)
class FrontEndCommand:
    """A command of the front end itself, as `/quit`."""

    spec: CommandSpec
    rest: str
    """What follows the name."""


@dataclass(frozen=True, slots=True)
class SessionCommand:
    """A command that the session carries out, as `/done`."""

    command: "Command"
    rest: str
    """What follows the name."""


@dataclass(frozen=True, slots=True)
class SkillForm:
    """`skill(use NAME)` and the like."""

    order: SkillOrder


@dataclass(frozen=True, slots=True)
class UnknownCommand:
    """What looks like a command and is none: it is told, not sent."""

    word: str
    """With its slash."""
    near: str | None
    """The command that was probably meant, with its slash."""
    rest: str = ""
    """What follows it."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """Words for the model."""

    text: str
    files: tuple[str, ...] = ()
    """Paths that stand after an `@`, each once: pictures and PDFs among them go along."""
    along: tuple[str, ...] = ()
    """Texts that go before the words: commands that the person ran (`ran.py`)."""


ForSession: TypeAlias = SessionCommand | SkillForm | UnknownCommand | PromptText
"""What `execute` carries out, in every front end."""
Typed: TypeAlias = ShellLine | FrontEndCommand | ForSession
"""All that can be typed at a terminal."""


def typed(
    text: str,
    commands: Iterable["Command"],
    own: Iterable[CommandSpec],
    along: tuple[str, ...] = (),
) -> Typed:
    """What a person at a terminal means.

    Args:
        text: all that was typed, the lines of a paste included.
        commands: those of the session.
        own: those of the front end; they win over the session's of the same name.
        along: texts that go with it if it is a prompt.
    """
    if text.startswith("!") and (line := text.lstrip("!").strip()):
        return ShellLine(line, told=not text.startswith("!!"))
    word, rest = _parted(text)
    commands, own = tuple(commands), tuple(own)
    for spec in own:
        if word in spec.names:
            return FrontEndCommand(spec, rest)
    match for_session(text, commands):
        case UnknownCommand(slashed):
            return UnknownCommand(slashed, _near(word, (*own, *commands)), rest)
        case PromptText():
            return PromptText(text, files_named(text), along)
        case said:
            return said


def for_session(text: str, commands: Iterable["Command"]) -> ForSession:
    """What is meant where nobody sits at a terminal: no shell line, and no file is read for an `@`.

    The text may hold what another program has written.
    """
    if given := order_in(text):
        return SkillForm(given)
    word, rest = _parted(text)
    commands = tuple(commands)
    for command in commands:
        if word in command.names:
            return SessionCommand(command, rest)
    if word and "/" not in word:  # a slash more, and it is the path of something
        return UnknownCommand(f"/{word}", _near(word, commands), rest)
    return PromptText(text)


def waits(said: Typed) -> bool:
    """Whether it has to wait until the model is done."""
    match said:
        case ShellLine():
            return False
        case FrontEndCommand(spec=spec) | SessionCommand(command=spec):
            return not spec.at_once
        case SkillForm() | UnknownCommand() | PromptText():
            return True


def files_named(text: str) -> tuple[str, ...]:
    """The paths that stand after an `@`; a full stop or comma behind one is not part of it."""
    paths = (quoted or bare.rstrip(".,;:!?)]}'`") for quoted, bare in _NAMED.findall(text))
    return tuple(dict.fromkeys(path for path in paths if path))


def _parted(text: str) -> tuple[str, str]:
    """The word after a slash at the very beginning, and what follows; empty where there is none."""
    word = text[1:].split(maxsplit=1)[0] if re.match(r"/\S", text) else ""
    return word, text[1 + len(word) :].strip()


def _near(word: str, commands: Iterable[CommandSpec]) -> str | None:
    near = nearest(word, [command.name for command in commands])
    return f"/{near}" if near else None
