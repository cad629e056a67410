"""What may follow what is being typed: commands after a slash, files and the like after an `@`.

It knows nothing of widgets, and of commands only what it is given as data.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Literal, TypeAlias

from octochat.commands.spec import CommandSpec
from octochat.text.figures import count

_FILE = re.compile(r'(?:^|(?<=[\s(\[{"\'`]))@([^\s@"]*)$')
_COMMAND = re.compile(r"/([\w:.-]*)$")
_ARGUMENT = re.compile(r"/([\w:.-]+)\s+(\S*)$")
IDLE = "Ask anything · / commands · @ files · ! shell"
TOLD = "what it prints goes with your next message"
BESIDE = "for you alone: the model does not see it"
LEFT_SHOWN = 40
"""Characters shown of a draft that was left."""
BUSY = "Esc stops it · what you send waits"
"""What the empty input says while the model works."""
ELSEWHERE = "At work · what you send waits"
"""The same while the keys go to something else."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be put in the place of what was typed."""

    insert: str
    label: str
    """What is shown of it."""
    help: str = ""
    final: bool = False
    """Nothing more can follow: Enter takes it and sends."""
    brief: str = ""
    """A shorter label, for where all choices share a row."""


@dataclass(frozen=True, slots=True)
class CompletionQuery:
    """A word under the cursor that can be completed."""

    kind: Literal["command", "argument", "file"]
    start: int
    """Where the word starts in the line, in characters."""
    letters: str
    command: str = ""
    """The command whose argument it is."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that is no file and may stand behind an `@`: `SERVER:ADDRESS`."""

    source: str
    """The server."""
    address: str
    """What is in braces has to be filled in."""
    help: str = ""


Choices: TypeAlias = Sequence[Choice]


def invitation(left: str) -> str:
    """What the empty input says: what can be done here, or what an earlier octochat has left."""
    if not left:
        return IDLE
    return f"↑ brings back what was not sent: {shorten(left, LEFT_SHOWN, placeholder=' …')}"


def wanted_at(before: str, *, first_line: bool) -> CompletionQuery | None:
    """What the text before the cursor, in its line, asks for.

    `before` must be the line up to the cursor; commands stand on the first line only.
    """
    if first_line and (found := _COMMAND.match(before)):
        return CompletionQuery("command", 0, found[1])
    if found := _FILE.search(before):
        return CompletionQuery("file", found.start(), found[1])
    if first_line and (found := _ARGUMENT.match(before)):
        return CompletionQuery("argument", found.start(2), found[2], found[1])
    return None


def command_choices(letters: str, commands: Iterable[CommandSpec]) -> list[Choice]:
    """Commands that start with the letters, then those that hold them."""
    low = letters.casefold()
    ranked = sorted(
        (not command.name.startswith(low), command.name, command)
        for command in _unique(commands)
        if low in command.name
    )
    return [
        Choice(
            f"/{name}" if not command.usage else f"/{name} ",
            f"/{name} {command.usage}".rstrip(),
            command.help,
            final=not command.usage,
        )
        for _, name, command in ranked
    ]


def argument_choices(wanted: CompletionQuery, commands: Iterable[CommandSpec]) -> list[Choice]:
    """The words that the command's first argument may be."""
    low = wanted.letters.casefold()
    for command in commands:
        if command.name == wanted.command:
            options = [option for option in command.options if low in option.casefold()]
            options.sort(key=lambda option: not option.casefold().startswith(low))
            return [Choice(option, option, final=True) for option in options]
    return []


def file_choices(paths: Iterable[str]) -> list[Choice]:
    """Paths to put after an `@`; one with a space in it stands between quotes."""
    return [Choice(_mention(path), path) for path in paths]


def mention_choices(letters: str, mentions: Iterable[Mention]) -> list[Choice]:
    """The servers that have something to mention, and behind the `:` of one what that is."""
    source, colon, rest = letters.partition(":")
    low = rest.casefold()
    if not colon:
        number = Counter(each.source for each in mentions)
        fits = (name for name in sorted(number) if name.casefold().startswith(source.casefold()))
        return [Choice(f"@{n}:", f"{n}:", count(number[n], "resource")) for n in fits]
    found = [
        each
        for each in mentions
        if each.source == source and low in f"{each.address} {each.help}".casefold()
    ]
    found.sort(key=lambda each: (not each.address.casefold().startswith(low), each.address))
    return [_mentioned(each) for each in found]


def _mentioned(each: Mention) -> Choice:
    """One of them; the cursor stays where something has to be filled in."""
    name = f"{each.source}:{each.address}"
    fixed, brace, _ = name.partition("{")
    return Choice(f"@{fixed}" if brace else _mention(name), name, each.help)


def usage_of(text: str, commands: Iterable[CommandSpec]) -> CommandSpec | None:
    """The command that the text begins with, once its name is complete."""
    name = text[1:].split(maxsplit=1)[0] if text.startswith("/") and len(text) > 1 else ""
    return next((command for command in commands if command.name == name), None)


def hint_for(text: str, commands: Iterable[CommandSpec], *, folded: bool) -> str:
    """What is worth saying about what Enter would send; empty where nothing is.

    `folded`: a paste in it is shown as a chip.
    """
    if text.startswith("!"):
        return BESIDE if text.startswith("!!") else TOLD
    if (command := usage_of(text, commands)) is not None:
        return " ".join(filter(None, (f"/{command.name}", command.usage, "·", command.help)))
    return "Ctrl+O opens the paste" if folded else ""


def _mention(path: str) -> str:
    if path.endswith("/"):
        return f"@{path}"
    return f'@"{path}" ' if re.search(r"\s", path) else f"@{path} "


def _unique(commands: Iterable[CommandSpec]) -> Iterable[CommandSpec]:
    return {command.name: command for command in commands}.values()
