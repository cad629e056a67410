"""What a session has to offer its tools: folders, limits, rules, its skills, its log."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from octochat.context.session.events import Entry
from octochat.context.session.state import State
from octochat.sandbox.sandbox import Sandbox
from octochat.skills.skills import Skills
from octochat.tools.limits import FileSettings, Limits, Spill
from octochat.tools.paths import Roots
from octochat.tools.recall_query import Find, Sessions
from octochat.tools.seen import Seen


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Each tool takes what it needs of it."""

    roots: Roots
    """The working folder, and the session's folder for results that are too long."""
    limits: Limits
    environment: Mapping[str, str]
    """The variables of octochat itself."""
    readable: Callable[[str, Path], bool]
    """Whether the permission rules let a search tool of this name look into a file."""
    skills: Skills
    entries: Callable[[], Sequence[Entry]]
    """The log as it stands."""
    find: Find
    """Searches the log, or earlier sessions."""
    sessions: Sessions
    """Whether earlier sessions may be searched."""
    state: Callable[[], State]
    """The session as it stands."""
    files: FileSettings = FileSettings()
    pictures: Callable[[], bool] = lambda: True
    """Whether the session's model takes pictures and PDFs."""
    sandbox: Sandbox | None = None
    """Where commands run; None: as octochat itself does."""
    seen: Seen = field(default_factory=Seen)
    """What the model last saw of each file; one for all tools."""

    mask_secrets: bool = True
    """Whether keys of known shapes are masked in what a running command shows, and in files of
    long results; in the results themselves whoever logs them does it."""

    @property
    def spill(self) -> Spill:
        """Where results go that are too long."""
        return Spill(self.roots.spill, self.mask_secrets)
