"""The text of a custom command: its arguments, and the command lines in it. Pure.

Source: docs/custom-commands.md#the-text.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_LINE = re.compile(r"(?<![\w`])!`([^`\n]+)`")
_ARGUMENT = re.compile(r"\$(?:ARGUMENTS\b|([1-9])(?!\d))")


@dataclass(frozen=True, slots=True)
class Words:
    """Text as it is sent."""

    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A command line, in whose place goes what it prints."""

    command: str


Piece: TypeAlias = Words | Line


def pieces(body: str, rest: str) -> Iterator[Piece]:
    """The text with its arguments; what is in an argument is never taken for a command line.

    Arguments for which the text has no place follow it.
    """
    if rest and not _ARGUMENT.search(body):
        body = f"{body}\n\nArguments: $ARGUMENTS"
    for at, part in enumerate(_LINE.split(body)):
        text = with_arguments(part, rest)
        yield Line(text) if at % 2 else Words(text)


def lines(body: str) -> tuple[str, ...]:
    """The command lines in a text, as they stand there."""
    return tuple(_LINE.findall(body))


def with_arguments(text: str, rest: str) -> str:
    """A text with `$ARGUMENTS` and `$1` to `$9` filled in; one that is missing is empty."""
    try:
        words = shlex.split(rest)
    except ValueError:  # an apostrophe is no quote that somebody forgot to close
        words = rest.split()

    def filled(found: re.Match[str]) -> str:
        if found[1] is None:
            return rest
        return words[int(found[1]) - 1] if int(found[1]) <= len(words) else ""

    return _ARGUMENT.sub(filled, text)
