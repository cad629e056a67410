"""What the command line says of a session. On the start path: it imports next to nothing."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octochat.permissions.modes import Mode
    from octochat.sandbox.settings import SandboxMode


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
    mode: "Mode | None" = None
    """None: that of the configuration, or the one the session was left in."""
    allow_all: bool = False
    """The mode in which nothing is asked may be chosen."""
    sandbox: "SandboxMode | None" = None
    """None: as the configuration says."""
    max_cost: float | None = None
    """Dollars."""
    max_turns: int | None = None
    """Requests for one message."""
