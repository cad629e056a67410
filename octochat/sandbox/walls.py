"""What a sandbox leaves of the files: what is not there, what can't be changed, what can.

It looks at names only and knows no program that puts the walls up.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from octochat.sandbox.secrets import is_dotenv, of_home

_DEPTH = 3
"""Folders below one another in the working folder that are looked into."""
_MOST = 1_000
"""Folders that are looked into."""
_SKIPPED = frozenset({"node_modules", ".venv", "venv", "__pycache__", ".tox", "site-packages"})
"""Folders of other people's programs: nobody opens a project there."""
LOOKED = frozenset({".github", ".config"})
"""Hidden folders that are looked into."""
DECIDING_IN_GIT = ("hooks", "config", "config.worktree", "commondir", "modules", "worktrees")
"""What of a git folder decides what runs, or where git looks for that."""
_SOCKETS = Path("/proc/net/unix")


@dataclass(frozen=True, slots=True)
class Ground:
    """What a sandbox is put around. All paths are canonical."""

    folder: Path
    """The working folder."""
    scratch: Path
    """The scratch folder."""
    own: tuple[Path, ...]
    """Folders of octochat's own: its configuration and data."""
    protected: Callable[[Path], bool]
    """Whether a file decides what runs or what is allowed."""


@dataclass(frozen=True, slots=True)
class Walls:
    """Where they stand. What is named nowhere can be read."""

    writable: tuple[Path, ...]
    hidden: tuple[Path, ...]
    """Files and folders that are not there."""
    fixed: tuple[Path, ...]
    """What can't be changed though it lies in a writable folder."""
    pinned: tuple[Path, ...]
    """Writable folders that can't be renamed: others of the same name would stand free."""


def walls(ground: Ground) -> Walls:
    """The walls as they have to stand now. Looks through the working folder."""
    found = list(_below(ground))
    secret = [path for path in found if is_dotenv(path.name)]
    hidden = (*of_home(Path.home()), *ground.own, *_sockets(), *secret)
    gits = [path for path in found if path.name == ".git" and not path.is_symlink()]
    repositories = [path for path in gits if path.is_dir()]
    parts = [git / name for git in repositories for name in DECIDING_IN_GIT]
    gone = _there(hidden)
    decide = (path for path in (*found, *parts) if path not in (*secret, *repositories))
    fixed = tuple(path for path in _there(decide) if _stays(path, ground.folder, gone))
    around = {path.parent for path in fixed if path.parent.name.startswith(".")} - {ground.folder}
    pinned = dict.fromkeys((*repositories, *sorted(around)))
    return Walls((ground.folder, ground.scratch), gone, fixed, tuple(pinned))


def _stays(path: Path, folder: Path, gone: tuple[Path, ...]) -> bool:
    """Whether a wall may show what is there: a link may lead outside, or to what is hidden."""
    return path.is_relative_to(folder) and not {path, *path.parents}.intersection(gone)


def _there(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Those that are there, links followed, each once."""
    found = dict.fromkeys(Path(os.path.realpath(path)) for path in paths)
    return tuple(path for path in found if os.path.lexists(path))


def _below(ground: Ground) -> Iterator[Path]:
    """What in the working folder is protected or holds secrets, as far as it is looked."""
    folders, seen = [(str(ground.folder), 0)], 0
    while folders and seen < _MOST:
        (folder, depth), seen = folders.pop(0), seen + 1
        if ground.protected(Path(folder, "x")):
            yield Path(folder)
            continue
        for entry in _entries(folder):
            if _striking(entry.name) and (
                is_dotenv(entry.name) or ground.protected(Path(entry.path))
            ):
                yield Path(entry.path)
            elif depth < _DEPTH and _worth_a_look(entry):
                folders.append((entry.path, depth + 1))


def _striking(name: str) -> bool:
    """Whether a name can be one of those that are protected: said quickly, for thousands."""
    return name.startswith(".") or not name.isascii() or name.lower() == "skill.md"


def _worth_a_look(entry: os.DirEntry[str]) -> bool:
    if entry.name in _SKIPPED or (entry.name.startswith(".") and entry.name not in LOOKED):
        return False
    return entry.is_dir(follow_symlinks=False)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _sockets() -> Iterator[Path]:
    """The sockets in the file system behind which somebody listens, as far as this can be seen."""
    try:
        lines = _SOCKETS.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return
    for line in lines:
        name = line.partition(" /")[2]
        if name and _is_socket(path := Path(f"/{name}")):
            yield path


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except OSError:
        return False
