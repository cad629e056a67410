"""Adding to the end of a small file: all of it, or nothing. It knows nothing of what is in it."""

import os
from pathlib import Path


def append(path: Path, text: str, head: str = "") -> None:
    """Write a text at the end of a file that only its owner reads, in one piece.

    A second octochat can't come in between, and a disk that fills up leaves no half of it.

    Args:
        path: the file; it and its folder are made if need be.
        text: what to add.
        head: what goes before it where there is nothing yet.

    Raises:
        OSError: it can't be written; the file is as it was.
        UnicodeError: no text file can hold it; nothing is written.
    """
    added = text.encode()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(file).st_size
        data = added if size else head.encode() + added
        try:
            written = os.write(file, data)
            while written < len(data):  # the disk is full: the next piece says so
                written += os.write(file, data[written:])
            os.fsync(file)
        except OSError:
            os.ftruncate(file, size)
            raise
    finally:
        os.close(file)
