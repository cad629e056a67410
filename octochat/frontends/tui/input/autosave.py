"""Keeping a draft on disk a moment after each change. It knows nothing of what a draft is for."""

from collections.abc import Callable
from contextlib import suppress

from textual.timer import Timer
from textual.widget import Widget

from octochat.frontends.shared.drafts import DraftFile, Unsent

AFTER = 0.3
"""Seconds from a change to the disk."""


class Autosave:
    """One draft file and the change that is still to reach it."""

    def __init__(
        self,
        widget: Widget,
        file: DraftFile,
        unsent: Callable[[], Unsent],
        trouble: Callable[[str], object],
    ) -> None:
        self._widget = widget
        self._unsent = unsent
        self._trouble = trouble
        self._timer: Timer | None = None
        self._failed = False
        self.file: DraftFile = file

    def soon(self) -> None:
        """Something changed."""
        if self._timer is None:
            self._timer = self._widget.set_timer(AFTER, self.now)

    def move(self, file: DraftFile) -> None:
        """Go on in another file; nothing stays in this one."""
        with suppress(OSError):  # the next change will say it
            self.file.save(Unsent())
        self.file = file

    def now(self) -> None:
        """Write what there is. A failure is told once, until it works again."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        try:
            self.file.save(self._unsent())
        except OSError as error:
            if not self._failed:
                self._trouble(f"The draft can't be saved: {error}")
            self._failed = True
        else:
            self._failed = False
