"""What the changes of one file come to, by taking them back from what is in it now.

It reads no file.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from octochat.tools.base import FROM_NOTHING
from octochat.tools.change import Change
from octochat.tools.textfile import Form

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_Step: TypeAlias = tuple[int, Sequence[str], Sequence[str]]
"""Lines before the place, what stands there, and what takes its place."""


@dataclass(slots=True)
class _Hunk:
    old_at: int
    """Lines of the old text before it."""
    new_at: int
    """Lines of the new text before it."""
    old: list[str] = field(default_factory=list[str])
    """Its lines before the change, with their ends."""
    new: list[str] = field(default_factory=list[str])
    """Its lines after the change, with their ends."""


def net_diff(diffs: Sequence[str], now: str, name: str) -> str | None:
    """The whole difference, as a unified diff; empty where the file is as it was before.

    Args:
        diffs: the unified diff of each change, in order.
        now: what is in the file.
        name: the file's name in the diff.

    Returns:
        None where the file is neither as the changes left it nor as it was before them, or too
        long to compare.
    """
    new = diffs[0].startswith(FROM_NOTHING)
    first = "" if new else _first(diffs, now)
    if first is None:
        return None
    diff = Change(first, now, Form(), new=new).preview(name)
    return diff if "@@" in diff or first == now else None


def _first(diffs: Sequence[str], now: str) -> str | None:
    """What was in the file before the first change."""
    lines = now.splitlines(keepends=True)
    changes = [_hunks(diff.splitlines()) for diff in diffs]
    if not all(changes):
        return None
    back = ((h.new_at, h.new, h.old) for hunks in reversed(changes) for h in reversed(hunks))
    if (first := _replaced(lines, back)) is not None:
        return first
    # Somebody else has taken them back if all could be made once more.
    again = ((h.old_at, h.old, h.new) for hunks in changes for h in reversed(hunks))
    return None if _replaced(lines, again) is None else now


def _replaced(lines: Sequence[str], steps: Iterable[_Step]) -> str | None:
    """The text after all steps; None where one finds no place."""
    text = list(lines)
    for at, there, instead in steps:
        place = _place(text, there, at)
        if place is None:
            return None
        text[place : place + len(there)] = instead
    return "".join(text)


def _place(lines: Sequence[str], part: Sequence[str], at: int) -> int | None:
    """Where a part stands in a text: `at` lines down, or else the only place."""
    size = len(part)
    if not size:  # a part of a diff is only empty where the whole text is
        return None if lines else 0
    if list(lines[at : at + size]) == part:
        return at
    found = [n for n in range(len(lines) - size + 1) if list(lines[n : n + size]) == part]
    return found[0] if len(found) == 1 else None


def _hunks(diff: Iterable[str]) -> list[_Hunk]:
    found: list[_Hunk] = []
    sign = ""
    for line in diff:
        if head := _HUNK.match(line):
            old, new = max(int(head[1]) - 1, 0), max(int(head[2]) - 1, 0)
            found.append(_Hunk(old, new))
        elif found and line.startswith("\\"):  # the line before it has no end
            for text in (found[-1].old, found[-1].new):
                if text and (sign == " " or (sign == "-") == (text is found[-1].old)):
                    text[-1] = text[-1].removesuffix("\n")
        elif found:
            sign = line[:1] or " "
            if sign in " -":
                found[-1].old.append(f"{line[1:]}\n")
            if sign in " +":
                found[-1].new.append(f"{line[1:]}\n")
    return found
