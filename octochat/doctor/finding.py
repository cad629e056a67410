"""What was found, and what it was found about. It looks at nothing itself."""

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from octochat.memory.index import available
from octochat.sandbox.probe import Missing, Program, probed

State: TypeAlias = Literal["fine", "note", "fault"]
"""A note is worth knowing, a fault wants something done."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    area: str
    """Such as `configuration`; findings of one area stand together."""
    what: str
    """How it is, on one line."""
    state: State = "fine"
    remedy: str = ""
    """What to do, as whole sentences; never empty for a fault."""


def note(area: str, what: str, remedy: str = "") -> Finding:
    """Something that works and is worth knowing."""
    return Finding(area, what, "note", remedy)


def fault(area: str, what: str, remedy: str) -> Finding:
    """Something that wants something done."""
    return Finding(area, what, "fault", remedy)


def free_bytes(folder: Path) -> int:
    """The room on the disk of a folder that there is.

    Raises:
        OSError: it can't be told.
    """
    return shutil.disk_usage(folder).free


@dataclass(frozen=True, slots=True)
class Patient:
    """What is looked at."""

    folder: Path
    """The working folder, canonical."""
    config: Path | None = None
    """What `--config` says."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    online: bool = False
    """Whether the server may be asked."""
    free: Callable[[Path], int] = free_bytes
    """Bytes of room on the disk of a folder."""
    indexes: Callable[[], bool] = available
    """Whether SQLite can make a full-text index."""
    sandbox: Callable[[bool], Program | Missing] = lambda network: probed(network=network)
    """What can put up a sandbox here, with a network or without."""
