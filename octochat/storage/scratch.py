"""The scratch folder of a session: for files that only the model needs, private to the person.

It lies among the system's temporary files and goes with them; one that stayed empty goes at the
session's end. A session that is resumed finds it again, empty if it went.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from octochat.storage.data_folder import data_folder


def scratch_folder(session: str) -> Path:
    """Where it is or will be, canonical."""
    shared = Path(os.environ.get("TMPDIR") or "/tmp") / f"octochat-{os.getuid()}"  # noqa: S108  only if it is nobody else's
    base = shared if _own(shared) else data_folder() / "scratch"
    return Path(os.path.realpath(base)) / session


def make(folder: Path) -> None:
    """Make the folder if it is not there. Where that can't be done, a session goes on without."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True)


def let_go(folder: Path) -> None:
    """Remove the folder if nothing is in it."""
    with suppress(OSError):
        folder.rmdir()


def _own(folder: Path) -> bool:
    """Whether there is such a folder, or can be, that only the person can look into."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
    except OSError:
        return False
    mine = found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077
    return mine and stat.S_ISDIR(found.st_mode)
