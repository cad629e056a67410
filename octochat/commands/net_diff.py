"""What several changes of one file come to, by taking them back from what is in it now.

It reads no file.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from octochat.tools.base import FROM_NOTHING
from octochat.tools.change import Change
from octochat.tools.textfile import Form

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")


@dataclass(slots=True)
class _Hunk:
    at: int
    """Lines of the new text before it."""
    old: list[str] = field(default_factory=list[str])
    """Its lines before the change, with their ends."""
    new: list[str] = field(default_factory=list[str])
    """Its lines after the change, with their ends."""

    def place(self, lines: Sequence[str]) -> int | None:
        """Where it stands in a text: as many lines down as it says, or else the only place."""
        size = len(self.new)
        if list(lines[self.at : self.at + size]) == self.new and self.at <= len(lines):
            return self.at
        found = [n for n in range(len(lines) - size + 1) if list(lines[n : n + size]) == self.new]
        return found[0] if len(found) == 1 else None


def net_diff(diffs: Sequence[str], now: str, name: str) -> str | None:
    """The whole difference, as a unified diff; empty where the file is as it was before.

    Args:
        diffs: the unified diff of each change, in order.
        now: what is in the file.
        name: the file's name in the diff.

    Returns:
        None where the file is not as the changes left it, or too long to compare.
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
    for diff in reversed(diffs):
        hunks = _hunks(diff.splitlines())
        for hunk in reversed(hunks):
            at = hunk.place(lines)
            if at is None:
                return None
            lines[at : at + len(hunk.new)] = hunk.old
        if not hunks:
            return None
    return "".join(lines)


def _hunks(diff: Iterable[str]) -> list[_Hunk]:
    found: list[_Hunk] = []
    sign = ""
    for line in diff:
        if head := _HUNK.match(line):
            start, size = int(head[1]), int(head[2] or 1)
            found.append(_Hunk(start - 1 if size else start))
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
