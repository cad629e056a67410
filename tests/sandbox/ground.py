"""Builders for tests of the sandbox: a place to put one around, and whether there can be one."""

import os
from pathlib import Path

import pytest

from octochat.permissions.protected import protecting
from octochat.sandbox.probe import Missing, probed
from octochat.sandbox.sandbox import Sandbox
from octochat.sandbox.settings import SandboxSettings
from octochat.sandbox.walls import Ground

_HERE = probed(network=False)
needs_sandbox = pytest.mark.skipif(
    isinstance(_HERE, Missing), reason=_HERE.why if isinstance(_HERE, Missing) else ""
)
"""Skips where there is none, and says why."""


def ground(tmp_path: Path) -> Ground:
    """A working folder, a scratch folder, and data of octochat's own beside them."""
    places = [Path(os.path.realpath(tmp_path)) / name for name in ("work", "scratch", "own")]
    for place in places:
        place.mkdir(exist_ok=True)
    folder, scratch, own = places
    return Ground(folder, scratch, (own,), lambda path: bool(protecting(path, (folder,))))


def sandbox(tmp_path: Path, settings: SandboxSettings | None = None) -> Sandbox:
    """A sandbox around such a place."""
    return Sandbox(settings or SandboxSettings("auto"), ground(tmp_path))
