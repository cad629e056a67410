"""The two pictures of the page as SVG: cost against recall, and contexts over time.

Colours and visibility are the style sheet's business: everything of contender n has class `sN`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from octochat.replay.outcome import Outcome, Result
from octochat.replay.report import ContenderRow

WIDTH, HEIGHT = 860, 360
LEFT, RIGHT, TOP, BOTTOM = 62, 18, 14, 40
MOST_POINTS = 240
"""Points of a line; a longer one is thinned out, its edits are not."""
TOGETHER = 20
"""Pixels within which contenders share a label."""
DEAREST = 1.3
"""The cost ratio at the right edge, at the most."""


@dataclass(frozen=True, slots=True)
class Axis:
    """From values to pixels."""

    low: float
    high: float
    start: float
    """Pixel of `low`."""
    end: float
    """Pixel of `high`."""

    def at(self, value: float) -> float:
        """The pixel of a value."""
        span = (self.high - self.low) or 1.0
        return round(self.start + (value - self.low) / span * (self.end - self.start), 1)

    def ticks(self) -> Iterator[float]:
        """Five to ten round values."""
        step = _round_step((self.high - self.low) / 5)
        tick = ceil(self.low / step) * step
        while tick <= self.high + step * 1e-6:
            yield round(tick, 10)
            tick += step


def scatter(rows: Sequence[ContenderRow]) -> str:
    """Every contender's cost ratio and far recall; empty where there is nothing to show.

    Contenders have their number beside them; those in one place share a label. Who cost very much
    stands at the right edge, with what it cost.
    """
    points = [
        (number, row.name, row.ratio, row.far.value)
        for number, row in enumerate(rows)
        if row.ratio is not None and row.far.value is not None
    ]
    if not points:
        return ""
    costs, shares = [cost for *_, cost, _ in points], [share for *_, share in points]
    across = Axis(min(0.5, *costs) - 0.03, min(max(1.0, *costs), DEAREST), LEFT, WIDTH - 80)
    up = Axis(min(0.9, *shares) - 0.02, 1.01, HEIGHT - BOTTOM, TOP)
    parts = [*_grid(across, up, lambda tick: f"{tick:.2f}", lambda tick: f"{tick:.0%}")]
    parts.append(_axis_title("cost, as a share of doing nothing", "far recall"))
    labels: dict[tuple[int, int], list[tuple[float, str]]] = {}
    for number, name, cost, share in points:
        x, y = across.at(min(cost, across.high)), up.at(share)
        said = f"{escape(name)}: cost {cost:.2f}, far recall {share:.1%}"
        parts.append(
            f'<circle class="s{number}" cx="{x}" cy="{y}" r="5"><title>{said}</title></circle>'
        )
        dear = f" ({cost:.2f})" if cost > across.high else ""
        labels.setdefault(_near(x, y, labels), []).append((x, f"{number + 1}{dear}"))
    parts += (
        _text(max(x for x, _ in who) + 9, y + 4, "start", ", ".join(text for _, text in who))
        for (_, y), who in labels.items()
    )
    return _svg("Cost against recall", parts)


def timeline(outcome: Outcome) -> str:
    """The tokens of every request of a conversation, one line a contender, edits marked."""
    calls = max((len(result.contexts) for result in outcome.results), default=0)
    peak = max((max(result.contexts, default=0) for result in outcome.results), default=0)
    if not calls:
        return ""
    across = Axis(0, max(calls - 1, 1), LEFT, WIDTH - RIGHT)
    up = Axis(0, peak * 1.05, HEIGHT - BOTTOM, TOP)
    parts = [*_grid(across, up, lambda tick: f"{tick:g}", _thousands)]
    parts.append(_axis_title("call of the model", "tokens"))
    for number, result in enumerate(outcome.results):
        parts.append(f'<g class="s{number}">{_line(result, across, up)}</g>')
    return _svg(f"Context over time: {outcome.name}", parts)


def _line(result: Result, across: Axis, up: Axis) -> str:
    step = max(len(result.contexts) // MOST_POINTS, 1)
    edited = {edit.call for edit in result.edits}
    beside = {call - 1 for call in edited}
    points = " ".join(
        f"{across.at(call):g},{up.at(tokens):g}"
        for call, tokens in enumerate(result.contexts)
        if call % step == 0 or call in edited or call in beside
    )
    marks = "".join(
        f'<circle cx="{across.at(edit.call):g}" cy="{up.at(result.contexts[edit.call]):g}" r="3.5">'
        f"<title>{escape(result.contender)}, before call {edit.call + 1}: {edit.before:,} to "
        f"{edit.after:,} tokens by {escape(edit.by)} ({escape(edit.why)})</title></circle>"
        for edit in result.edits
    )
    return f'<polyline points="{points}"/>{marks}'


def _grid(
    across: Axis, up: Axis, name_x: Callable[[float], str], name_y: Callable[[float], str]
) -> Iterator[str]:
    bottom = HEIGHT - BOTTOM
    for tick in across.ticks():
        x = across.at(tick)
        yield f'<line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom}"/>'
        yield _tick(x, bottom + 16, "middle", name_x(tick))
    for tick in up.ticks():
        y = up.at(tick)
        yield f'<line class="grid" x1="{LEFT}" y1="{y}" x2="{across.end}" y2="{y}"/>'
        yield _tick(LEFT - 6, y + 4, "end", name_y(tick))


def _tick(x: float, y: float, anchor: str, text: str) -> str:
    return _text(x, y, anchor, text, ' class="tick"')


def _text(x: float, y: float, anchor: str, text: str, more: str = "") -> str:
    return f'<text{more} x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _axis_title(across: str, up: str) -> str:
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return (
        f'<text class="title" x="{LEFT}" y="{HEIGHT - 6}">{escape(across)}</text>'
        f'<text class="title" transform="translate(13 {middle}) rotate(-90)" '
        f'text-anchor="middle">{escape(up)}</text>'
    )


def _near(x: float, y: float, places: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The place of a label that is at this point already, or the point."""
    close = (p for p in places if abs(p[0] - x) < TOGETHER and abs(p[1] - y) < TOGETHER)
    return next(close, (round(x), round(y)))


def _svg(title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )


def _round_step(rough: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** len(str(int(rough))) / 10 if rough >= 1 else 1.0
    while power > rough:
        power /= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def _thousands(tick: float) -> str:
    return f"{tick / 1000:g}k" if tick else "0"
