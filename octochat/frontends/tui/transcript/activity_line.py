"""The line between the transcript and the input that moves as long as a turn is at work."""

from collections.abc import Callable
from typing import Protocol

from rich.cells import cell_len
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from octochat.context.session.events import Entry
from octochat.frontends.tui.render.blocks import FAINT, styled
from octochat.frontends.tui.terminal.info import NEAR, Pace
from octochat.frontends.tui.transcript.activity import Activity
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.frontends.tui.typed_app import app_of
from octochat.models.port import Delta

STOPS = " · Esc stops it"
AROUND = len(STOPS) + 2
"""Cells around what is said."""


class Clocked(Protocol):
    """Something that has a clock."""

    clock: Callable[[], float]
    """Seconds since the epoch."""


class ActivityLine(Widget, can_focus=False):
    """`◐ Running bash · 5 s · turn 12 s · 1.2k tokens · Esc stops it`, as far as there is room.

    It is repainted a few times a second at most.
    """

    DEFAULT_CSS = """
    ActivityLine { height: 1; padding: 0 2; display: none; &.-open { display: block; } }
    """

    def __init__(self, clocked: Clocked, asked: Callable[[], bool]) -> None:
        """Make one.

        Args:
            clocked: whoever has the clock.
            asked: whether the person is asked something, which is sign of life enough.
        """
        super().__init__()
        self._clocked = clocked
        self._asked = asked
        self._activity: Activity | None = None
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        self.keep(NEAR)

    def keep(self, pace: Pace) -> None:
        """Move as often as `pace` says."""
        if self._timer:
            self._timer.stop()
        self._timer = self.set_interval(
            1 / pace.spinner_hz, self._move, pause=self._activity is None
        )

    def begin(self) -> None:
        """A turn is at work, if none was."""
        if self._activity is None:
            self._activity = Activity(self._clocked.clock())
            if self._timer:
                self._timer.resume()
            self._move()

    def hear(self, item: Entry | Delta) -> None:
        """Something has happened in it."""
        if self._activity is not None:
            self._activity.hear(item, self._clocked.clock())

    def end(self) -> None:
        """It is over."""
        self._activity = None
        if self._timer:
            self._timer.pause()
        self._move()

    def render(self) -> Content:
        """The line."""
        if self._activity is None:
            return Content("")
        now = self._clocked.clock()
        said = list(self._activity.words(now))
        while len(said) > 1 and cell_len(" · ".join(said)) > self.content_size.width - AROUND:
            said.pop()
        return styled(
            (f"{Page(self.size.width, now).frame} ", "$text-primary"),
            (" · ".join(said), "$foreground"),
            (STOPS, FAINT),
        )

    def _move(self) -> None:
        self.set_class(self._activity is not None and not self._asked(), "-open")
        if app_of(self).app_focus:
            self.refresh()
