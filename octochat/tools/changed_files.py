"""Which of the files that the model has seen a command of its own changed."""

import time
from dataclasses import dataclass
from pathlib import Path

from octochat.text.harmless import one_line
from octochat.tools.base import ToolError
from octochat.tools.seen import Seen
from octochat.tools.textfile import load

_COARSE = 2.0
"""Seconds by which the clocks of some file systems are late."""
_NAMED = 5
"""So many files are named, the others counted."""


@dataclass(slots=True)
class ChangedFiles:
    """What a command changed from its beginning on. What it tells counts as seen."""

    seen: Seen
    folder: Path
    """Names of files in it are shown as seen from it."""
    most_bytes: int
    """Larger files are not looked into."""
    since: float
    """Seconds since the epoch."""

    @classmethod
    def from_now(cls, seen: Seen, folder: Path, most_bytes: int) -> "ChangedFiles":
        """For a command that begins now."""
        return cls(seen, folder, most_bytes, time.time() - _COARSE)

    def told(self) -> str:
        """The changed files in words, for the model; empty if there are none."""
        found = [path for path in self.seen.paths if self._changed(path)]
        names = [self._shown(path) for path in found[:_NAMED]]
        more = [f"{len(found) - _NAMED:,} more"] if len(found) > _NAMED else []
        return f"changed files that you have read: {', '.join((*names, *more))}" if found else ""

    def _changed(self, path: Path) -> bool:
        try:
            if path.stat().st_ctime < self.since:
                return False
            text = load(path, str(path), self.most_bytes).text
        except (OSError, ToolError):
            return False
        return self.seen.renew(path, text)

    def _shown(self, path: Path) -> str:
        inside = path.is_relative_to(self.folder)
        return one_line(str(path.relative_to(self.folder) if inside else path))
