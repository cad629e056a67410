"""How long the model has been at work, told once a second. It knows nothing of what is done."""

from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

from octochat.text.figures import seconds

MINUTE = 60


class WorkTimer:
    """A stop watch that tells `tell` when what it shows may have changed."""

    def __init__(self, widget: Widget, tell: Callable[[], None]) -> None:
        """`widget` runs the timer."""
        self._widget = widget
        self._tell = tell
        self._since = 0.0
        self._timer: Timer | None = None

    def begin(self, now: float) -> None:
        """The model begins to work; `now` is in seconds."""
        self.end()
        self._since = now
        self._timer = self._widget.set_interval(1, self._tell)

    def end(self) -> None:
        """The model has done its work."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def words(self, now: float, *, writing: bool) -> str:
        """`12 s`, and how to end that where nothing else says so; empty while nothing is done."""
        if self._timer is None:
            return ""
        whole = int(now - self._since)
        said = f"{whole} s" if whole < MINUTE else seconds(whole)
        return f"{said} · Esc interrupts" if writing else said
