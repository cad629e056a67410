"""The size of the context over a session, with what changed it: values, and how they are drawn.

Pure. Time runs by what happened, not by the clock, or one night would be all there is to see.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from textual.content import Content

from octochat.context.session.events import Condensed, Entry, Replied, Reverted, Rewound, TaskEnded
from octochat.context.session.state import State, advance
from octochat.frontends.tui.render.blocks import FAINT, styled
from octochat.text.figures import tokens

Mark: TypeAlias = Literal["", "cold", "trim", "restore", "done", "fold"]
"""What happened, the less important first."""
MARKS: dict[Mark, tuple[str, str, str]] = {
    "fold": ("◆", "$text-accent", "compressed"),
    "trim": ("✂", "$text-warning", "trimmed"),
    "done": ("✓", "$text-success", "task done"),
    "restore": ("↶", "$text-primary", "restored or undone"),
    "cold": ("∗", "$text-error", "cache expired"),
}
ORDER: tuple[Mark, ...] = ("", "cold", "trim", "restore", "done", "fold")
EIGHTHS = " ▁▂▃▄▅▆▇█"
WIDEST = 12
"""Cells that one point takes at most."""
LABEL = 7
"""Cells left of the curve."""


@dataclass(frozen=True, slots=True)
class Point:
    """The context after something happened."""

    size: int
    """Tokens."""
    mark: Mark = ""


def points(entries: Sequence[Entry]) -> list[Point]:
    """The session's history, one point an entry that changed the context."""
    state = State()
    found: list[Point] = []
    replied: tuple[float, int] | None = None
    for place, entry in enumerate(entries):
        before = state.context
        with suppress(ValueError, LookupError):  # of an edited file, where a rewind has undone it
            state = advance(state, entry, entries[: place + 1])
        mark = _mark(entry)
        if isinstance(entry.event, Replied):
            if replied and entry.at - entry.event.seconds - replied[0] > replied[1]:
                mark = "cold"
            replied = (entry.at, entry.event.ttl)
        if mark or state.context != before:
            found.append(Point(state.context, mark))
    return found


def _mark(entry: Entry) -> Mark:
    match entry.event:
        case Condensed(fold=None):
            return "trim"
        case Condensed():
            return "fold"
        case TaskEnded():
            return "done"
        case Reverted() | Rewound():
            return "restore"
        case _:
            return ""


def fitted(history: Sequence[Point], width: int) -> list[Point]:
    """A point for each cell.

    Neighbours share one (the largest size, the most important mark), or each one is drawn wide,
    its mark at its beginning.
    """
    if len(history) <= width:
        room = min(width, WIDEST * len(history))
        ends = [room * (place + 1) // len(history) for place in range(len(history))]
        return [
            replace(point, mark=point.mark if column == start else "")
            for point, start, end in zip(history, [0, *ends], ends, strict=False)
            for column in range(start, end)
        ]
    made: list[Point] = []
    for column in range(width):
        part = history[column * len(history) // width : (column + 1) * len(history) // width]
        largest = max(part, key=lambda point: point.size)
        made.append(replace(largest, mark=max((p.mark for p in part), key=ORDER.index)))
    return made


def drawn(history: Sequence[Point], levels: Iterable[int], width: int, height: int) -> Content:
    """The curve, `width` by `height` cells and one line of marks below it."""
    columns = fitted(history, max(width - LABEL, 1))
    top = max([point.size for point in columns] + [1])
    marks = [level for level in levels if level <= top * 3 // 2]
    top = max([top, *marks])
    rows = [_row(columns, marks, top, row, height) for row in range(height)]
    signs = [MARKS[point.mark][:2] if point.mark else (" ", "") for point in columns]
    return Content("\n").join([*rows, styled(" " * LABEL, *signs)])


def _row(
    columns: Sequence[Point], levels: Sequence[int], top: int, row: int, height: int
) -> Content:
    """One line of the curve; `row` counts from the top."""
    low, high = top * (height - row - 1) / height, top * (height - row) / height
    level = next((level for level in levels if low < level <= high), None)
    label = tokens(level) if level else (tokens(top) if row == 0 else "")
    if row == height - 1 and not label:
        label = "0"
    cells: list[tuple[str, str]] = []
    for point in columns:
        filled = round(8 * min(max((point.size - low) / (high - low), 0), 1))
        if filled:
            cells.append((EIGHTHS[filled], "$text-primary"))
        else:
            cells.append(("┈", "$text-warning 50%") if level else (" ", ""))
    return styled((f"{label:>{LABEL - 1}} ", FAINT), *cells)


def legend(history: Sequence[Point]) -> Content:
    """What the marks mean, those that occur."""
    there = {point.mark for point in history}
    parts = [
        styled((sign, style), (f" {words}   ", FAINT))
        for mark, (sign, style, words) in MARKS.items()
        if mark in there
    ]
    return Content("").join(parts) if parts else styled(("nothing was compressed yet", FAINT))
