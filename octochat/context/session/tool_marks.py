"""What octochat's tools add to what they show: numbers before lines, and a last line about it.

Whoever looks for facts in a result, or copies it, wants it without them. It knows no tool but by
name.
"""

import re
from itertools import pairwise
from typing import Final

NUMBERED: Final = frozenset({"read", "grep"})
"""Tools that put numbers before lines, by name."""
_NUMBER = re.compile(r"^\d+\t", re.MULTILINE)
_MISTAKEN = re.compile(r"\s*(\d+)(?:\t|→)(.*)", re.DOTALL)
"""A number that a model copied along with its line; other agents put an arrow after it."""
_LAST = re.compile(
    r"(?:\A|\n)\[((?:exit -?\d|exit status -?\d|timed out after|killed after|interrupted by|"
    r"lines? \d|[\d,]+ match|no match|no output)[^\n]*)\]\s*\Z"
)
"""The last line of a result, where a tool of octochat says how it ended or what it left out."""


def numbered(number: int, line: str) -> str:
    """A line with its number, counted from 1."""
    return f"{number}\t{line}"


def unmarked(tool: str, result: str) -> str:
    """What a tool of this name showed, without what it added."""
    text = _LAST.sub("", result)
    return _NUMBER.sub("", text) if tool in NUMBERED else text


def ending(result: str) -> str:
    """How a result says that its tool ended, `exit status 1`; empty where it does not."""
    last = _LAST.search(result)
    return last[1] if last else ""


def without_numbers(text: str) -> str | None:
    """A text whose lines all begin with ascending numbers, without these; None for any other."""
    found = [_MISTAKEN.fullmatch(line) for line in text.removesuffix("\n").split("\n")]
    known = [match for match in found if match]
    if len(known) < len(found) or any(int(b[1]) != int(a[1]) + 1 for a, b in pairwise(known)):
        return None
    return "\n".join(match[2] for match in known) + "\n" * text.endswith("\n")
