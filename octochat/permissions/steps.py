"""The commands of a line with the folders they may run in, and where their words lead.

It looks at the file system, as the shell will. Nothing is decided here.
"""

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from octochat.permissions.commandline import SimpleCommand, appearing, simple_commands
from octochat.permissions.risks import runs_code

_MOST_PLACES = 8
"""Folders that a line may have moved to; with more it is not followed."""
_MOST_FILES = 500
"""File names that a pattern may stand for."""
_MOVES = ("cd", "pushd", "popd")
_CD_OPTION = re.compile(r"-[Pe@]+|--")
"""Not `-L`: octochat's shell goes where links lead, as paths are judged here."""
_MOST_STARRED = 2
"""Parts of a path with a pattern in them: with more, looking takes long."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command of a line."""

    command: SimpleCommand
    places: frozenset[Path]
    """The folders that it may run in, canonical: a `cd` before it may have failed."""
    moves: frozenset[Path] = frozenset()
    """Where it moves the shell to, if it is a `cd`."""


def steps(line: str, start: Path) -> tuple[Step, ...] | None:
    """What a line does, one after the other; None where that can't be told for sure."""
    commands = simple_commands(line)
    if commands is None:
        return None
    found: list[Step] = []
    places = frozenset({start})
    for command in commands:
        moves: frozenset[Path] = frozenset()
        if any(layer[0] in _MOVES for layer in command.layers):
            aim = _aim(command)
            led = [leads(aim, place) if aim else None for place in places]
            moves = frozenset(path for path in led if path)
            if None in led:
                return None
        found.append(Step(command, places, moves))
        places |= moves
        if len(places) > _MOST_PLACES:
            return None
    return tuple(found)


def _aim(command: SimpleCommand) -> str | None:
    """Where a `cd` wants to go; None where nobody can tell."""
    name, *rest = command.words
    while rest and _CD_OPTION.fullmatch(rest[0]):
        if rest.pop(0) == "--":
            break
    aim = rest[0] if rest else "~"
    known = name == "cd" and not command.globs and len(rest) <= 1 and not aim.startswith("-")
    return aim if known else None


def leads(word: str, place: Path) -> Path | None:
    """Where a word leads that is taken for a path, links followed; None where nobody can tell."""
    home = str(Path.home())
    text = re.sub(r"\$(?:PWD\b|\{PWD\})", lambda _: str(place), word)
    text = re.sub(r"\$(?:HOME\b|\{HOME\})", lambda _: home, text)
    if "$" in text:
        return None
    try:
        path = Path(text).expanduser()
        # A quoted `~` or `$HOME` is a name, and whether it was quoted is not known here.
        if word[:1] in ("~", "$") and os.path.lexists(place / word.partition("/")[0]):
            return None
        return Path(os.path.realpath(place / path))
    except (OSError, ValueError, RuntimeError):
        return None


def expanded(command: SimpleCommand, place: Path) -> tuple[str, ...] | None:
    """The words with file names where patterns stand for them; None where these are too many."""
    words: list[str] = []
    for at, word in enumerate(command.words):
        if at not in command.globs:
            words.append(word)
            continue
        pattern = command.globs[at]
        starred = [part for part in pattern.split("/") if re.search(r"[*?]", part)]
        if len(starred) > _MOST_STARRED or "$" in pattern:
            return None
        path = os.path.expanduser(pattern)  # noqa: PTH111  a pattern, not a path
        found = glob.iglob(path, root_dir=place, include_hidden=True)  # noqa: PTH207  as bash sees it
        names = list(islice(found, _MOST_FILES + 1))
        if len(names) > _MOST_FILES:
            return None
        words += names or [word]
    return tuple(words)


def pieces(line: str, command: SimpleCommand | None = None) -> Iterator[str]:
    """All that may be a path in a command, or in a line of which nothing is known."""
    code = command is not None and any(map(runs_code, command.layers))
    words = (
        appearing(line) if command is None else (*command.words, *command.reads, *command.writes)
    )
    for word in words:
        yield word
        if code:
            yield from appearing(word)
        yield from (part for part in re.split(r"[=:@,]", word)[1:] if part)
        if re.match(r"-\w.", word):
            yield word[2:]
