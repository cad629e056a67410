"""What the command line says of a session. On the start path: it imports next to nothing."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octochat.permissions.rules import Mode


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says of a session."""

    folder: Path
    """The working folder."""
    model: str | None = None
    config: Path | None = None
    resume: str | None = None
    """A session's id or the beginning of it."""
    go_on: bool = False
    """Go on with the newest session of the folder."""
    allow: tuple[str, ...] = ()
    mode: "Mode" = "ask"
    max_cost: float | None = None
    """Dollars."""
