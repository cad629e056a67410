"""One writer at a time: a session's file is locked as long as it is open.

It knows nothing of what is in the file.
"""

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

PATIENCE = 2.0
"""Seconds that whoever has the lock is given to let go: one that was killed may hold it for a
moment still, and one that only looks at the file is done in no time."""
PAUSE = 0.02
"""Seconds between two looks."""


def locked(path: Path, sleep: Callable[[float], object] = time.sleep) -> BinaryIO:
    """The file, made if need be, open to be read and appended to, and locked until it is closed.

    Args:
        path: its folders are made, too.
        sleep: how to wait for someone else's lock.

    Raises:
        BlockingIOError: someone else has it, and keeps it.
        OSError: it can't be had.
    """
    for folder in (path.parent.parent, path.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        file = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            _lock(file, sleep)
            if is_at(path, file):
                return file
        except OSError:
            file.close()
            raise
        file.close()  # whoever had it has just removed it: take a new one


def _lock(file: BinaryIO, sleep: Callable[[float], object]) -> None:
    for _ in range(round(PATIENCE / PAUSE)):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(PAUSE)
        else:
            return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_at(path: Path, file: BinaryIO) -> bool:
    """Whether this open file is still the one that has the name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
