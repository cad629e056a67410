"""What no wall keeps out: protected files that a command makes where there were none.

They are put aside, into the scratch folder, before anything can go by them. It also sees when a
file behind a wall was replaced from outside.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from octochat.sandbox.walls import Ground, Walls, deciding

_Identity: TypeAlias = tuple[int, int] | None
"""Device and number of a file, links not followed; None where there is none."""
FOLDER = "put-aside"
"""Where it is put, in the scratch folder."""


@dataclass(frozen=True, slots=True)
class Aside:
    """What was there when the walls were put up."""

    ground: Ground
    walled: Mapping[Path, _Identity]
    """What the walls stand around, but for sockets, which come and go."""
    deciding: Mapping[Path, _Identity]
    """What decides what runs."""

    @classmethod
    def now(cls, ground: Ground, walls: Walls) -> "Aside":
        """What is there now."""
        around = (*walls.hidden, *walls.fixed, *walls.pinned)
        walled = {path: _identity(path) for path in around if not path.is_socket()}
        return cls(ground, walled, {path: _identity(path) for path in deciding(ground)})

    def outdated(self) -> bool:
        """Whether a file was replaced from outside: no wall stands around the new one."""
        return any(_identity(path) != known for path, known in self.walled.items())

    def put(self) -> tuple[Path, ...]:
        """Put aside what is new; where each was."""
        new = tuple(path for path in deciding(self.ground) if self._new(path))
        for path in new:
            self._move(path)
        return new

    def _new(self, path: Path) -> bool:
        """Whether it was not there, or is a link now that was none or another one."""
        if path not in self.deciding:
            return True
        return path.is_symlink() and self.deciding[path] != _identity(path)

    def _move(self, path: Path) -> None:
        place = self.ground.scratch / FOLDER
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.move(path, place / f"{len(list(place.iterdir())) + 1}-{path.name.lstrip('.')}")


def _identity(path: Path) -> _Identity:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
