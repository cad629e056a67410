"""Which file keeps a draft: one for each session, and before anything is said one for each process.

So a draft that stands in another terminal is not touched, and one whose process is gone is known.
"""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from octochat.frontends.shared.drafts import DraftFile


@dataclass(frozen=True, slots=True)
class DraftFiles:
    """The draft files of a working folder."""

    data: Path
    """Where octochat keeps its files."""
    folder: Path
    """The working folder."""
    token: str = field(default_factory=lambda: os.urandom(4).hex())
    """Tells this octochat from an earlier one that had the same process number."""

    @property
    def new(self) -> DraftFile:
        """Where this octochat keeps the draft before anything is said, or the session is open."""
        return self._named(f"{self._of_folder}-{os.getpid()}-{self.token}")

    def left(self) -> Sequence[DraftFile]:
        """Those that were left in this folder by octochats that are gone."""
        files = map(DraftFile, sorted((self.data / "drafts").glob(f"{self._of_folder}*.json")))
        return [file for file in files if file != self.new and not _runs(file.path)]

    def of(self, session: str) -> DraftFile:
        """Where the draft of a session is kept, by its id."""
        return self._named(session)

    @property
    def _of_folder(self) -> str:
        return f"folder-{hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]}"

    def _named(self, name: str) -> DraftFile:
        return DraftFile(self.data / "drafts" / f"{name}.json")


def _runs(path: Path) -> bool:
    """Whether the process that a file is named for is still there, and is not this very one."""
    try:
        process = int(path.stem.split("-")[2])
        os.kill(process, 0)
    except PermissionError:
        return True
    except (IndexError, ValueError, OverflowError, OSError):
        return False
    return process != os.getpid()
