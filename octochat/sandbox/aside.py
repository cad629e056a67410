"""What no wall keeps out: protected files that a command makes where there were none.

They are renamed where they are, before anything can go by them. It also sees when a file behind a
wall was replaced from outside. Links are never followed: what is in the folder may be a trap.
"""

import os
import stat
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from octochat.sandbox.walls import DECIDING_IN_GIT, LOOKED, Ground, Walls

_Identity: TypeAlias = tuple[int, int, bool] | None
"""Device and number of a file, and whether it is a link; None where there is none."""
ENDING = ".put-aside"


@dataclass(frozen=True, slots=True)
class Aside:
    """What was there when the walls were put up."""

    ground: Ground
    walled: Mapping[Path, _Identity]
    """What the walls stand around, but for sockets, which come and go."""
    deciding: Mapping[Path, _Identity]
    """What at the top of the folder, and of its repository, decides what runs."""

    @classmethod
    def now(cls, ground: Ground, walls: Walls) -> "Aside":
        """What is there now."""
        around = (*walls.hidden, *walls.fixed, *walls.pinned)
        walled = {path: _identity(path) for path in around if not path.is_socket()}
        deciding = {place / name: known for place, _, name, known in _deciding(ground)}
        return cls(ground, walled, deciding)

    def outdated(self) -> bool:
        """Whether a file was replaced from outside: no wall stands around the new one."""
        return any(_identity(path) != known for path, known in self.walled.items())

    def put(self) -> tuple[Path, ...]:
        """Put aside what is new: give it another name; where each was."""
        found: list[Path] = []
        for place, number, name, identity in _deciding(self.ground):
            if self._new(place / name, identity):
                _rename(number, name)
                found.append(place / name)
        return tuple(found)

    def _new(self, path: Path, identity: _Identity) -> bool:
        """Whether it was not there, or there is or was a link, around which no wall stands."""
        known = self.deciding.get(path)
        if known is None or identity is None:
            return known is None
        return identity != known and (identity[2] or known[2])


def _deciding(ground: Ground) -> Iterator[tuple[Path, int, str, _Identity]]:
    """Folder, its descriptor, name and identity of all that decides what runs."""
    for part in ("", ".git", *sorted(LOOKED)):
        place = ground.folder / part
        with _opened(ground.folder, part) as number:
            for name in _names(number) if number is not None else ():
                in_git = part == ".git"
                if name in DECIDING_IN_GIT if in_git else ground.protected(place / name):
                    assert number is not None
                    yield place, number, name, _identity(Path(name), number)


@contextmanager
def _opened(folder: Path, part: str) -> Generator[int | None]:
    """A folder, or one in it that is no link, as a descriptor; None where there is none."""
    flags = os.O_RDONLY | os.O_DIRECTORY | (os.O_NOFOLLOW if part else 0)
    try:
        number = os.open(folder / part, flags)
    except OSError:
        yield None
        return
    try:
        yield number
    finally:
        os.close(number)


def _rename(folder: int, name: str) -> None:
    taken = _names(folder)
    plain = name.lstrip(".")
    names = (f"{plain}{ENDING}{number or ''}" for number in range(len(taken) + 1))
    os.rename(name, next(n for n in names if n not in taken), src_dir_fd=folder, dst_dir_fd=folder)


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _identity(path: Path, folder: int | None = None) -> _Identity:
    try:
        found = os.stat(path, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return found.st_dev, found.st_ino, stat.S_ISLNK(found.st_mode)
