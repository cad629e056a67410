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


def _unlocked(path: Path) -> bytes:
    """What is in a session file.

    Raises:
        OSError: someone has it open.
    """
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return file.read()


def unfinished_notice(found: SessionSummary, ago: str) -> str:
    """What a person is told of it; `ago` says in words when that was."""
    title = f"“{found.title}”, " if found.title else ""
    return f"The last session here ended in the middle of work ({title}{ago})"
