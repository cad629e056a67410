"""Which file keeps a draft: one for each session, one for each folder before anything is said."""

import hashlib
import os
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
    def opening(self) -> DraftFile:
        """Where the draft is kept until the session that is resumed is open."""
        return self._named("opening")

    @property
    def new(self) -> DraftFile:
        """Where the draft is kept before anything is said."""
        name = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return self._named(f"folder-{name}")

    def of(self, session: str) -> DraftFile:
        """Where the draft of a session is kept, by its id."""
        return self._named(session)

    def _named(self, name: str) -> DraftFile:
        return DraftFile(self.data / "drafts" / f"{name}.json")
