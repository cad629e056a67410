"""The context as a bar: what fills it, part by part, and where compression begins.

Pure: from a `Gauge` to styled text. Parts differ in their glyph as well as in their colour, so the
bar can be read without colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from octochat.frontends.tui.render.blocks import FAINT, styled
from octochat.text.figures import dollars, tokens


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the context."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Gauge:
    """What the status line shows."""

    model: str
    size: int
    """Tokens in the context, the safety margin included."""
    limit: int
    """The most tokens that a request may have."""
    parts: tuple[Share, ...] = ()
    levels: tuple[int, ...] = ()
    """Context sizes at which compression begins and gets harder, in tokens."""
    cost: float | None = 0.0
    """Dollars so far; None for an unpriced model."""
    next_warm: float | None = None
    """Dollars that the next request costs with the cache as it stands; None where unknown."""
    next_cold: float | None = None
    """Dollars that it costs when the cache is gone."""
    warm_until: float | None = None
    """When the cache expires, in seconds since the epoch; None if there is none."""
    effort: str = ""
    """How hard the model works, `auto` for as it likes; empty where it can't be told."""
    mode: str = "ask"
    """How much is asked."""
    sandbox: str = ""
    """Where commands run, in a word or two; empty where no sandbox is wanted."""
    branch: str = ""
    """What is checked out; empty outside of git."""
    warmth: float | None = None
    """Dollars of the call that is to keep it warm until later; None: none will be made."""


LOOKS = {
    "system and tools": ("█", "$primary"),
    "instructions": ("▞", "$primary"),
    "skills": ("▓", "$secondary"),
    "loaded tools": ("▚", "$secondary"),
    "notes": ("▒", "$accent"),
    "conversation": ("▄", "$success"),
}
"""Glyph and style by part, the same wherever a part is shown: neighbours never look alike."""
REST = ("▁", "$foreground 50%")
"""The look of any other part."""
EMPTY, TICK, PASSED, MORE, END = "·", "┆", "┃", "›", "▏"
FAR = 4
"""A context under this fraction of the window is drawn on a bar that ends before the window."""


def bar(gauge: Gauge, width: int) -> Content:
    """The bar, `width` cells wide, its end mark included."""
    cells = max(1, width - 1)
    scale = scale_of(gauge)
    row: list[tuple[str, str]] = [(EMPTY, "$foreground 35%")] * cells
    at = 0
    for index, count in enumerate(_cells(gauge, cells, scale)):
        row[at : at + count] = [look_of(gauge.parts[index].name)] * count
        at += count
    for level in gauge.levels:
        place = level * cells // scale
        if place < cells:
            row[place] = (PASSED, "$error") if gauge.size >= level else (TICK, "$warning")
    end = MORE if scale < gauge.limit else END
    return styled(*row, (end, FAINT))


def look_of(part: str) -> tuple[str, str]:
    """Glyph and style of a part."""
    return LOOKS.get(part, REST)


def scale_of(gauge: Gauge) -> int:
    """How many tokens the whole bar stands for: the window, or less where little of it is used."""
    if gauge.size * FAR >= gauge.limit:
        return max(gauge.limit, gauge.size, 1)
    highest = max((*gauge.levels, gauge.size * 2, 1))
    return min(gauge.limit, highest * 5 // 4)


def legend(gauge: Gauge) -> Content:
    """What each glyph stands for and how much it is, a line each."""
    rows = [
        styled(look_of(part.name), f" {part.name}  ") + Content(tokens(part.tokens))
        for part in gauge.parts
    ]
    if gauge.levels:
        rows.append(Content(f"{TICK} compression from {', '.join(map(tokens, gauge.levels))}"))
    return Content("\n").join((*rows, Content("A click opens /context")))


def next_cost(gauge: Gauge) -> str:
    """What the next request costs, in words; empty where that is unknown."""
    if gauge.next_warm is None:
        return ""
    if gauge.next_cold is None or gauge.next_cold <= gauge.next_warm * 1.01:
        return f"next {dollars(gauge.next_warm)}"
    return f"next {dollars(gauge.next_warm)}, uncached {dollars(gauge.next_cold)}"


def _cells(gauge: Gauge, cells: int, scale: int) -> Sequence[int]:
    """How many cells each part gets: what it weighs, to the nearest cell."""
    total = sum(part.tokens for part in gauge.parts)
    if not total:
        return ()
    filled = min(cells, max(1, round(gauge.size * cells / scale)))
    exact = [part.tokens * filled / total for part in gauge.parts]
    counts = [int(share) for share in exact]
    rest = sorted(range(len(exact)), key=lambda index: counts[index] - exact[index])
    for index in rest[: filled - sum(counts)]:
        counts[index] += 1
    return counts
