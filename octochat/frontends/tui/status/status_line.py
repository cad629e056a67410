"""The status line: model, context, cost, cache. It knows no session, only a `Gauge`.

It repaints at most once a second, and not at all once the cache is cold or while the terminal is
not looked at.
"""

import time
from collections.abc import Callable, Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from octochat.frontends.tui.render.blocks import FAINT, cells, styled
from octochat.frontends.tui.status.gauge import Gauge, bar, legend, next_cost
from octochat.frontends.tui.typed_app import app_of
from octochat.text.figures import dollars, tokens

GAP = "  "
BAR_LEAST, BAR_WANTED, BAR_MOST = 8, 24, 40
"""Cells of the bar: where there is little room, what it should have, and where there is much."""
OFTEN = 1.0
"""Seconds between repaints, at the least."""
STEPS = ((60, 10), (10, 5), (0, 1))
"""How exactly the time left is told: above so many seconds, by so many."""


class StatusLine(Widget, can_focus=False):
    """One line below the input."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 2; pointer: pointer; }
    """

    class ContextRequested(Message):
        """The person wants to see what is in the context."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives seconds since the epoch."""
        super().__init__()
        self._clock = clock
        self._gauge: Gauge | None = None
        self._word = ""
        self._drawn = float("-inf")
        self._timer: Timer | None = None

    def show(self, gauge: Gauge | None, word: str = "") -> None:
        """Show other figures, soon; `word` stands first (a retry that counts down, a warning)."""
        if (gauge, word) != (self._gauge, self._word):
            self._gauge, self._word = gauge, word
            self._draw_in(OFTEN - (self._clock() - self._drawn))

    def render(self) -> Content:
        """The line, as much of it as there is room for."""
        if self._gauge is None:
            return Content(self._word)
        return status(self._gauge, self._word, self.content_size.width, self._clock())

    def on_click(self) -> None:
        self.post_message(self.ContextRequested())

    def on_app_focus(self, _event: events.AppFocus) -> None:
        self._draw()

    def _draw_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if seconds <= 0:
            self._draw()
        else:
            self._timer = self.set_timer(seconds, self._draw)

    def _draw(self) -> None:
        self._drawn = self._clock()
        if self._gauge is not None:
            self.tooltip = legend(self._gauge)
        self.refresh()
        left = seconds_left(self._gauge, self._drawn)
        if left > 0 and app_of(self).app_focus:
            step = _step(left)
            self._draw_in(max(OFTEN, left % step or step))


def seconds_left(gauge: Gauge | None, now: float) -> float:
    """Until the cache is cold; 0 if it is."""
    if gauge is None or gauge.warm_until is None:
        return 0.0
    return max(0.0, gauge.warm_until - now)


def status(gauge: Gauge, word: str, width: int, now: float) -> Content:
    """The whole line in `width` cells: what matters least is shortened and dropped first."""
    least = max(BAR_LEAST, min(BAR_WANTED, width // 4))
    for parts in _forms(gauge, word, now):
        line = [part for part in parts if part]
        taken = sum(cells(part) for part in line) + len(GAP) * len(line)
        if taken + least <= width:
            room = min(BAR_MOST, width - taken)
            place = 1 + bool(word) if parts[1] else bool(word)
            line.insert(place, bar(gauge, room))
            return Content(GAP).join(line)
    return bar(gauge, max(2, width - 8)) + Content(f" {tokens(gauge.size)}")


def _forms(gauge: Gauge, word: str, now: float) -> Sequence[tuple[Content, ...]]:
    """The parts, from the fullest form to the barest: word, model, size, cost, next, cache."""
    nothing = Content("")
    left = seconds_left(gauge, now)
    said = styled((word, "$text-warning bold")) if word else nothing
    model = Content(gauge.model)
    name = Content(gauge.model.removeprefix("claude-"))
    over = "$text-error bold" if gauge.size > gauge.limit else ""
    size = styled((tokens(gauge.size), over or "bold"), (f" of {tokens(gauge.limit)}", FAINT))
    brief = styled((tokens(gauge.size), over or "bold"))
    cost = nothing if gauge.cost == 0 else styled((dollars(gauge.cost), FAINT))
    coming = next_cost(gauge)
    long_next, next_ = styled((coming, FAINT)), styled((coming.partition(",")[0], FAINT))
    cache = _cache(left, gauge.warm_until is not None, "cache ")
    kept = nothing if gauge.warmth is None else styled((f"kept for {dollars(gauge.warmth)}", FAINT))
    short = _cache(left, gauge.warm_until is not None, "")
    return (
        (said, model, size, cost, long_next, cache, kept),
        (said, model, size, cost, next_, cache, kept),
        (said, name, size, cost, next_, cache, kept),
        (said, model, size, cost, next_, cache),
        (said, name, size, cost, next_, cache),
        (said, name, size, cost, next_, short),
        *([(said, name, brief, cost, nothing, short, kept)] if gauge.warmth is not None else ()),
        (said, name, brief, cost, next_, short),
        (said, name, brief, cost, nothing, short),
        (said, name, brief, cost, nothing, nothing),
        (said, nothing, brief, cost, nothing, nothing),
        (said, nothing, brief, nothing, nothing, nothing),
        (nothing, nothing, brief, nothing, nothing, nothing),
    )


def _cache(left: float, known: bool, lead: str) -> Content:
    if left > 0:
        step = _step(left)
        whole = int(-(-left // step)) * step
        return styled((f"{lead}warm {whole // 60}:{whole % 60:02}", "$text-success"))
    return styled((f"{lead}cold", FAINT)) if known else Content("")


def _step(left: float) -> int:
    """By how many seconds the time left is told."""
    return next(step for above, step in STEPS if left > above)
