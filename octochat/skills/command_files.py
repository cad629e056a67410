"""Custom commands: where they are found, and which of a name wins.

Source: docs/custom-commands.md#where-commands-stand.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from octochat.project.root import down_to
from octochat.skills.command_file import CustomCommand, read_command

MOST = 500
"""Commands of one folder that are read."""
_DEEPEST = 4
"""Folders inside a folder of commands that are looked into."""


@dataclass(frozen=True, slots=True)
class CustomCommands:
    """What was found."""

    commands: tuple[CustomCommand, ...] = ()
    """By name."""
    troubles: tuple[str, ...] = ()
    """What is odd or left out, one line each."""


def own_places(config: Path) -> tuple[Path, ...]:
    """The person's folders of commands; `config` is octochat's folder in their configuration."""
    return (config / "commands", Path.home() / ".claude" / "commands")


def project_places(folder: Path, root: Path) -> tuple[Path, ...]:
    """A project's folders of commands, the nearest first."""
    names = (".octochat/commands", ".claude/commands")
    return tuple(place / name for place in reversed(down_to(folder, root)) for name in names)


def find_commands(own: Iterable[Path], project: Iterable[Path], root: Path) -> CustomCommands:
    """Every command; the project's win over the person's, and the nearest folder over the others.

    One of the project that lies outside its `root` in truth is left out. Nobody trusts the
    project's yet.
    """
    mine = tuple(own)
    found: dict[str, CustomCommand] = {}
    troubles: list[str] = []
    for place in (*(each for each in project if each not in mine), *mine):
        for file in islice(_files(place), MOST):
            name = ":".join(file.relative_to(place).with_suffix("").parts)
            read = "it is a link to outside the project"
            if place in mine or Path(os.path.realpath(file)).is_relative_to(root):
                read = read_command(file, name)
            if isinstance(read, str):
                troubles.append(f"{file} is left out: {read}.")
            else:
                troubles += (f"{file}: {oddity}." for oddity in read.oddities)
                found.setdefault(name, read)
    return CustomCommands(tuple(found[name] for name in sorted(found)), tuple(troubles))


def _files(folder: Path) -> Iterator[Path]:
    """The Markdown files below a folder, in order; links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        if len(Path(place).relative_to(folder).parts) >= _DEEPEST:
            folders.clear()
        yield from (Path(place) / name for name in sorted(names) if name.endswith(".md"))
