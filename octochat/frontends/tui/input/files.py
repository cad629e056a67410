"""The files of the working folder and how well their paths answer to a few letters.

It knows nothing of widgets; listing reads the disk, so it belongs in a thread.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import islice
from pathlib import Path, PurePosixPath

LIMIT = 50_000
"""Most paths that are listed."""
GIT_SECONDS = 3.0
"""How long git may take."""
FRESH_SECONDS = 5.0
"""How long a list is good for."""
HEAVY = frozenset({"node_modules", "__pycache__", "target", "dist", "build", "venv"})
"""Folders that are passed over where there is no git to say what is ignored."""


@dataclass(slots=True)
class Files:
    """The paths below a folder, listed anew when the list is old."""

    folder: Path
    clock: Callable[[], float] = time.monotonic
    _paths: tuple[str, ...] = ()
    _at: float | None = field(default=None)

    def paths(self) -> tuple[str, ...]:
        """Folders (with a slash at the end) and files, relative, at most `LIMIT`."""
        now = self.clock()
        if self._at is None or now - self._at > FRESH_SECONDS:
            self._paths = list_paths(self.folder)
            self._at = now
        return self._paths


def list_paths(folder: Path) -> tuple[str, ...]:
    """What git knows and does not ignore; without git, all but hidden and heavy folders."""
    files = _from_git(folder)
    if files is None:
        files = tuple(islice(_walk(folder), LIMIT))
    folders = {f"{parent}/" for file in files for parent in PurePosixPath(file).parents}
    folders.discard("./")
    return tuple(sorted(folders | set(files)))


def best(letters: str, paths: Iterable[str], limit: int) -> list[str]:
    """The paths that hold the letters in order, the best first."""
    wanted = letters.casefold()
    scored = ((score, path) for path in paths if (score := _score(wanted, path)) is not None)
    return [path for _, path in nsmallest(limit, scored)]


def _from_git(folder: Path) -> tuple[str, ...] | None:
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "-co", "--exclude-standard"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=GIT_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    names = done.stdout.decode("utf-8", "replace").split("\0")
    return tuple(islice((name for name in names if name.isprintable() and name), LIMIT))


def _walk(folder: Path) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(n for n in folders if n not in HEAVY and not n.startswith("."))
        base = Path(here).relative_to(folder)
        yield from (
            (base / name).as_posix()
            for name in sorted(names)
            if name.isprintable() and not name.startswith(".")
        )


def _score(letters: str, path: str) -> tuple[int, int, str] | None:
    """Smaller is better; None where the letters are not in the path in their order.

    Greedy, so that it takes linear time: a matcher that weighs every way to match takes
    exponential time on paths with many equal letters.
    """
    low = path.casefold()
    name = low.rstrip("/").rpartition("/")[2]
    depth = low.count("/")
    if name.startswith(letters):
        return (0, depth * 100 + len(name), low)
    if letters in name:
        return (1, depth * 100 + len(name), low)
    if letters in low:
        return (2, len(low), low)
    if (span := _span(letters, name)) is not None:
        return (3, span * 100 + depth, low)
    if (span := _span(letters, low)) is not None:
        return (4, span * 100 + depth, low)
    return None


def _span(letters: str, text: str) -> int | None:
    """How far apart the letters stand, taken from the end, or None if they are not all there."""
    end = place = len(text)
    for letter in reversed(letters):
        place = text.rfind(letter, 0, place)
        if place < 0:
            return None
        if end == len(text):
            end = place
    return end - place
