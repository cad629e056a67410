"""Keeping a draft on disk a moment after each change. It knows nothing of what a draft is for."""

import os
from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

from octochat.frontends.shared.drafts import DraftFile, Unsent
from octochat.frontends.tui.input.disk_trouble import DiskTrouble

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
        self._disk = DiskTrouble("Drafts can't be saved", trouble)
        self._timer: Timer | None = None
        self.file: DraftFile = file

    def soon(self) -> None:
        """Something changed."""
        if self._timer is None:
            self._timer = self._widget.set_timer(AFTER, self.now)

    def move(self, file: DraftFile) -> None:
        """Go on in another file; nothing stays in this one once that one has it."""
        before, self.file = self.file, file
        if self.now():
            self.drop(before)

    def now(self) -> bool:
        """Write what there is, and say whether it stands on the disk."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        unsent = self._unsent()
        return self.drop(self.file) if unsent == Unsent() else self._save(self.file, unsent)

    def drop(self, file: DraftFile) -> bool:
        """Leave nothing in a file; whether nothing stands there."""
        return not os.path.lexists(file.path) or self._save(file, Unsent())

    def _save(self, file: DraftFile, unsent: Unsent) -> bool:
        return self._disk.tries(lambda: file.save(unsent))
