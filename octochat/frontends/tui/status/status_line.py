"""The status line: model, mode, context, cost. It knows no session, only a `Gauge`.

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

from octochat.config.tui_settings import StatusPart, TuiSettings
from octochat.frontends.tui.render.blocks import cells, styled
from octochat.frontends.tui.status.gauge import Gauge, bar, legend
from octochat.frontends.tui.status.parts import GIVES_WAY, forms, seconds_left, step
from octochat.frontends.tui.typed_app import app_of

GAP = "  "
BAR_LEAST, BAR_WANTED, BAR_MOST = 8, 24, 40
"""Cells of the bar: where there is little room, what it should have, and where there is much."""
OFTEN = 1.0
"""Seconds between repaints, at the least."""
DEFAULT: Sequence[StatusPart] = TuiSettings().status


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
        self.parts: Sequence[StatusPart] = DEFAULT
        """What is shown, in order."""
        self._word = ""
        self._drawn = float("-inf")
        self._timer: Timer | None = None

    def show(self, gauge: Gauge | None, word: str = "") -> None:
        """Show other figures, soon; `word` stands first (a retry that counts down, a warning)."""
        if (gauge, word) != (self._gauge, self._word):
            turned = _dials(gauge) != _dials(self._gauge)
            self._gauge, self._word = gauge, word
            self._draw_in(0 if turned else OFTEN - (self._clock() - self._drawn))

    def render(self) -> Content:
        """The line, as much of it as there is room for."""
        if self._gauge is None:
            return Content(self._word)
        width, now = self.content_size.width, self._clock()
        return status(self._gauge, self._word, width, now, self.parts)

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
        left = seconds_left(self._gauge, self._drawn) if "cache" in self.parts else 0.0
        if left > 0 and app_of(self).app_focus:
            by = step(left)
            self._draw_in(max(OFTEN, left % by or by))


def _dials(gauge: Gauge | None) -> tuple[str, str] | None:
    """What the person has just turned, and wants to see at once."""
    return (gauge.mode, gauge.effort) if gauge else None


def status(
    gauge: Gauge, word: str, width: int, now: float, shown: Sequence[StatusPart] = DEFAULT
) -> Content:
    """The whole line in `width` cells: what matters least is shortened and dropped first.

    A mode other than `ask` stands there whatever else is to be `shown`.
    """
    if "mode" not in shown and gauge.mode != "ask":
        shown = ("mode", *shown)
    left = dict(forms(gauge, now))
    said = [styled((word, "$text-warning bold"))] if word else []
    for giving in (None, *GIVES_WAY):
        if giving and len(left[giving]) > 1:
            left[giving] = left[giving][1:]
        parts = [(name, left[name][0]) for name in shown if left[name] and left[name][0]]
        taken = sum(cells(part) + len(GAP) for part in (*said, *(each for _, each in parts)))
        least = max(BAR_LEAST, min(BAR_WANTED, width // 5)) if "context" in shown else 0
        if taken + least <= width:
            drawn = bar(gauge, min(BAR_MOST, width - taken)) if least else None
            rows = [_with_bar(part, drawn) if name == "context" else part for name, part in parts]
            return Content(GAP).join((*said, *rows))
    return bar(gauge, max(2, width - 8)) + Content(" ") + left["context"][0]


def _with_bar(part: Content, drawn: Content | None) -> Content:
    return part if drawn is None else drawn + Content(GAP) + part
