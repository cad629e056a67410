"""The lines of a text that a model gets to see: those it wants, or as many as fit, head and tail.

It knows no files, and holds no more than it shows.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Range: TypeAlias = tuple[int, int | None]
"""First and last line, counted from 1; None: the end of the text."""
Size: TypeAlias = Callable[[str], int]
"""How much of the room a line takes."""

_GAP = "[...]\n"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Runs of lines, and what is to be known of the rest."""

    runs: Sequence[tuple[int, Sequence[str]]]
    """The number of the first line of each, and its lines."""
    total: int | None
    """Lines of the whole text; None where they were not counted."""
    rest: Sequence[Range] = ()
    """What was wanted and did not fit."""

    def text(self, line: Callable[[int, str], str]) -> str:
        """The lines, each as `line` writes it, and at last which of how many they are."""
        parts = [
            "".join(line(number, text) for number, text in enumerate(lines, first))
            for first, lines in self.runs
        ]
        said = self._said()
        ended = (part if part.endswith("\n") else f"{part}\n" for part in parts)
        return _GAP.join(ended) + said if said else "".join(parts)

    def _said(self) -> str:
        spans = [(first, first + len(lines) - 1) for first, lines in self.runs]
        if spans == [(1, self.total)]:
            return ""
        which = " and ".join(f"{a} to {b}" if b > a else f"{a}" for a, b in spans)
        total = "" if self.total is None else f" of {self.total}"
        rest = [[first, -1 if last is None else last] for first, last in self.rest]
        more = f"; too long: for the rest use ranges {rest}" if rest else ""
        return f"[{'line' if which.isdigit() else 'lines'} {which}{total}{more}]"


def of_ranges(
    lines: Iterable[str], wanted: Sequence[Range], room: int, size: Size, *, counting: bool
) -> Excerpt:
    """The lines of these ranges, in order, as far as they fit.

    `counting`: go on to the end of the text to know how many lines it has.
    """
    runs: list[tuple[int, list[str]]] = []
    rest: tuple[Range, ...] = ()
    todo = deque(_merged(wanted))
    number = 0
    for number, line in enumerate(lines, 1):
        while todo and todo[0][1] is not None and number > todo[0][1]:
            todo.popleft()
        if not todo and not counting:
            return Excerpt(runs, None, rest)
        if not todo or number < todo[0][0]:
            continue
        room -= size(line)
        if room < 0 and runs:
            rest = ((number, todo[0][1]), *list(todo)[1:])
            todo.clear()
        elif runs and runs[-1][0] + len(runs[-1][1]) == number:
            runs[-1][1].append(line)
        else:
            runs.append((number, [line]))
    return Excerpt(runs, number, rest)


def of_ends(lines: Iterable[str], room: int, size: Size) -> Excerpt:
    """All lines if they fit; else of the head as much as two thirds of the room hold, and tail."""
    head: list[str] = []
    tail: deque[str] = deque()
    for_head, dropped = room * 2 // 3, 0
    for line in lines:
        needed = size(line)
        room -= needed
        if not tail and (needed <= for_head or not head):
            head.append(line)
            for_head -= needed
            continue
        tail.append(line)
        while room < 0 and len(tail) > 1:
            room += size(tail.popleft())
            dropped += 1
    last = len(head) + dropped
    total = last + len(tail)
    if not dropped:
        return Excerpt([(1, [*head, *tail])] if total else [], total)
    return Excerpt([(1, head), (last + 1, tail)], total, [(len(head) + 1, last)])


def _merged(wanted: Sequence[Range]) -> Sequence[Range]:
    """The ranges in order, those that touch as one."""
    merged: list[Range] = []
    for first, last in sorted(wanted, key=lambda span: span[0]):
        before = merged[-1][1] if merged else 0
        if merged and (before is None or first <= before + 1):
            end = None if before is None or last is None else max(before, last)
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((first, last))
    return merged
