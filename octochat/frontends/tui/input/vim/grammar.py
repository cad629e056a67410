"""What keys mean outside insert mode: counts, operators, motions, objects, and the rest."""

from collections.abc import Container
from dataclasses import dataclass, replace
from math import prod
from typing import Literal, TypeAlias

from octochat.frontends.tui.input.vim.motions import AGAIN, MOTIONS, SEEKS
from octochat.frontends.tui.input.vim.objects import OBJECTS

Look: TypeAlias = Literal["normal", "visual", "lines"]
"""Normal mode, and visual mode by characters or by lines."""

MOST = 9_999
OPERATORS = frozenset({"d", "c", "y", "<", ">", "g~", "gu", "gU"})
SHORT = {"x": "dl", "X": "dh", "s": "cl", "D": "d$", "C": "c$", "S": "cc", "Y": "yy"}
"""Keys of normal mode that stand for others."""
SHORT_VISUAL = {"x": "d", "s": "c", "~": "g~", "u": "gu", "U": "gU"}
"""Keys of visual mode that stand for others."""
BY_LINES = {"X": "d", "D": "d", "C": "c", "S": "c", "R": "c", "Y": "y"}
"""Keys of visual mode that take whole lines, whatever is selected in them."""
COMMANDS = frozenset({"i", "a", "I", "A", "o", "O", "p", "P", "J", "~", "u", ".", "v", "V", "gv"})
COMMANDS_VISUAL = frozenset({"p", "P", "J", "v", "V", "o", "O"})
REPLACE = "r"


@dataclass(frozen=True, slots=True)
class VimCommand:
    """One whole command."""

    name: str = ""
    """An operator or another command; empty for a mere motion."""
    count: int | None = None
    """None: none was given."""
    motion: str = ""
    """A motion, an object such as `iw`, or the operator itself once more for whole lines."""
    letter: str = ""
    """The character that f, t, F, T or r is about."""


class IncompleteError(Exception):
    """More keys must come."""


class UnknownError(Exception):
    """These keys mean nothing."""


def parse(keys: str, look: Look) -> VimCommand:
    """The command that the keys say.

    Raises:
        IncompleteError: more must come.
        UnknownError: they mean nothing.
    """
    reader = _Keys(keys)
    counts = [reader.count()]
    if look != "normal":
        return replace(_visual(reader), count=counts[0])
    name = reader.name()
    if name in SHORT:
        reader = _Keys(SHORT[name])
        name = reader.name()
    if name not in OPERATORS:
        return replace(_plain(reader, name, COMMANDS), count=counts[0])
    counts.append(reader.count())
    motion = reader.name()
    if motion in ("i", "a"):
        command = VimCommand(name, motion=motion + _known(reader.next(), OBJECTS))
    elif name in (motion, f"g{motion}"):
        command = VimCommand(name, motion=name)
    else:
        command = replace(_plain(reader, motion, ()), name=name)
    given = [count for count in counts if count is not None]
    return replace(command, count=min(prod(given), MOST) if given else None)


def _visual(reader: "_Keys") -> VimCommand:
    name = reader.name()
    name = SHORT_VISUAL.get(name, name)
    if name in ("i", "a"):
        return VimCommand(motion=name + _known(reader.next(), OBJECTS))
    if name in OPERATORS:
        return VimCommand(name)
    if name in BY_LINES:
        return VimCommand(BY_LINES[name], motion=BY_LINES[name])
    return _plain(reader, name, COMMANDS_VISUAL)


def _plain(reader: "_Keys", name: str, commands: Container[str]) -> VimCommand:
    """A motion, or one of the commands."""
    if name in SEEKS:
        return VimCommand(motion=name, letter=reader.next())
    if name in MOTIONS or name in AGAIN:
        return VimCommand(motion=name)
    if name == REPLACE and commands:
        return VimCommand(name, letter=reader.next())
    return VimCommand(_known(name, commands))


def _known(name: str, names: Container[str]) -> str:
    if name not in names:
        raise UnknownError
    return name


class _Keys:
    """Keys, read one after the other."""

    def __init__(self, keys: str) -> None:
        self._keys = keys
        self._place = 0

    def next(self) -> str:
        """One key."""
        if self._place == len(self._keys):
            raise IncompleteError
        self._place += 1
        return self._keys[self._place - 1]

    def count(self) -> int | None:
        """A number, if there is one."""
        digits = ""
        while self._keys[self._place : self._place + 1].isdecimal():
            if not digits and self._keys[self._place] == "0":
                break
            digits += self.next()
        return min(int(digits), MOST) if digits else None

    def name(self) -> str:
        """One key, or two that begin with g."""
        key = self.next()
        return key + self.next() if key == "g" else key
