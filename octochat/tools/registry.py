"""The tools that octochat brings along."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from octochat.tools.base import Tool
from octochat.tools.bash import Bash
from octochat.tools.limits import Limits, Spill
from octochat.tools.paths import Roots
from octochat.tools.read import Read
from octochat.tools.search import Glob, Grep
from octochat.tools.shell import environment
from octochat.tools.write import Edit, Write

NAMES: Final = ("read", "write", "edit", "glob", "grep", "bash", "recall", "skill")
"""The tools of a session."""


def anything(path: Path) -> bool:  # noqa: ARG001 - it is a rule like others, which look at the path
    """The rule that lets every file be found."""
    return True


def builtin_tools(
    folder: Path,
    spill: Path,
    limits: Limits | None = None,
    readable: Callable[[Path], bool] = anything,
) -> tuple[Tool, ...]:
    """`read, write, edit, glob, grep, bash` for a working folder.

    `spill` is the session's folder for results that are too long; `readable` says which files
    searches may look into (the permission rules know).
    """
    limits = limits or Limits()
    roots = Roots(Path(os.path.realpath(folder)), Path(os.path.realpath(spill)))
    rest = Spill(roots.spill)
    return (
        Read(roots, limits),
        Write(roots, limits),
        Edit(roots, limits),
        Glob(roots, rest, limits, readable),
        Grep(roots, rest, limits, readable),
        Bash(roots.folder, rest, limits, environment(os.environ)),
    )
