"""Which file keeps a draft: one for each session, and before anything is said one for each process.

So a draft that stands in another terminal is not touched, and one whose process is gone is known.
"""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from octochat.frontends.shared.drafts import DraftFile


@dataclass(frozen=True, slots=True)
class DraftFiles:
    """The draft files of a working folder."""

    data: Path
    """Where octochat keeps its files."""
    folder: Path
    """The working folder."""

    @property
    def new(self) -> DraftFile:
        """Where this octochat keeps the draft before anything is said, or the session is open."""
        return self._named(f"{self._of_folder}-{os.getpid()}")

    def left(self) -> Sequence[DraftFile]:
        """Those that were left in this folder by octochats that are gone."""
        files = sorted((self.data / "drafts").glob(f"{self._of_folder}*.json"))
        return [DraftFile(path) for path in files if not _runs(path.stem.split("-")[2:])]

    def of(self, session: str) -> DraftFile:
        """Where the draft of a session is kept, by its id."""
        return self._named(session)

    @property
    def _of_folder(self) -> str:
        return f"folder-{hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]}"

    def _named(self, name: str) -> DraftFile:
        return DraftFile(self.data / "drafts" / f"{name}.json")


def _runs(process: Sequence[str]) -> bool:
    """Whether the process of that number is still there."""
    try:
        os.kill(int(process[0]), 0)
    except PermissionError:
        return True
    except (IndexError, ValueError, OSError):
        return False
    return True
