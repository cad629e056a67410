"""Whether the last session in a folder ended in the middle of work: by a crash, or by a kill.

Told from its log alone, which holds all that was said as saved; it needs no marker file that a
crash could leave behind or a copy could lose.
"""

import fcntl
import os
from pathlib import Path

from octochat.storage.lines import LogError, read, split
from octochat.storage.sessions import NoSessionError, SessionSummary, newest, summary


def unfinished_session(folder: Path, current: str) -> SessionSummary | None:
    """The session to go on with: the folder's newest, if its last turn was never finished.

    None where it was, where there is none, and where another octochat is at work on it.

    Args:
        folder: the working folder.
        current: the id of the session that is open now.
    """
    try:
        path = newest(Path(os.path.realpath(folder)), other_than=current)
        whole, _ = split(_unlocked(path))
        _, state = read(whole, path)
    except (NoSessionError, LogError, OSError):
        return None
    return summary(path) if state.unfinished else None


def left_session(folder: Path, current: str) -> str | None:
    """The id of the folder's newest session but the `current` one, if nobody has it open."""
    try:
        path = newest(Path(os.path.realpath(folder)), other_than=current)
        _unlocked(path, 0)
    except (NoSessionError, OSError):
        return None
    return path.stem


def _unlocked(path: Path, most: int = -1) -> bytes:
    """What is in a session file, or the first so many bytes of it.

    Raises:
        OSError: someone has it open.
    """
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return file.read(most)


def unfinished_notice(found: SessionSummary, ago: str) -> str:
    """What a person is told of it; `ago` says in words when that was."""
    title = f"“{found.title}”, " if found.title else ""
    return f"The last session here ended in the middle of work ({title}{ago})"
