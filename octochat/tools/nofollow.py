"""Opens files by their canonical paths, and follows no symbolic link on the way.

A path is judged first and opened later. What has become a link in between is refused, wherever on
the path it stands. It knows nothing of permissions.
"""

import errno
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_PASSING = os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, "O_PATH", os.O_RDONLY)
"""To pass through a folder; where there is `O_PATH`, one that can't be listed will do."""
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""A pipe that took the file's place must not make anyone wait."""


def opened(path: Path) -> BinaryIO:
    """The file, to be read.

    Raises:
        OSError: it can't be opened; `ELOOP` where the path has a link in it.
    """
    with _folder(path.parent) as folder:
        return os.fdopen(os.open(path.name, _READING, dir_fd=folder), "rb")


def status(path: Path) -> os.stat_result:
    """What the system knows of what has this path.

    Raises:
        OSError: it can't be looked at; `ELOOP` where the path has a link in it.
    """
    with _folder(path.parent) as folder:
        return _status(path.name or ".", folder)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a folder has under one name."""

    name: str
    folder: bool
    """Whether it is a folder; a link to one is none."""
    file: bool
    """Whether it is a regular file; a link to one is none."""


def listed(path: Path) -> list[Listed]:
    """What is in a folder.

    Raises:
        OSError: it can't be listed; `ELOOP` where the path has a link in it.
    """
    with _folder(path) as folder:
        descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
    try:
        with os.scandir(descriptor) as found:
            return [
                Listed(e.name, e.is_dir(follow_symlinks=False), e.is_file(follow_symlinks=False))
                for e in found
            ]
    finally:
        os.close(descriptor)


def replaced(path: Path, data: bytes, mode: int | None) -> None:
    """Write a file at once or not at all; folders are made.

    Args:
        path: what has this path already gives way, unless it is a link.
        data: the whole content.
        mode: the new file's; None: what is usual.

    Raises:
        OSError: it could not be written, and nothing has changed but folders that were made;
            `ELOOP` where the path has a link in it.
    """
    new = f".{path.name[:200]}.{secrets.token_hex(4)}.tmp"
    with _folder(path.parent, make=True) as folder:
        with suppress(FileNotFoundError):
            _status(path.name, folder)
        try:
            _write_through(new, data, mode, folder)
            os.replace(new, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(new, dir_fd=folder)


def _write_through(name: str, data: bytes, mode: int | None, folder: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(name, flags, 0o666, dir_fd=folder), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        if mode is not None:
            os.fchmod(file.fileno(), mode)


@contextmanager
def _folder(path: Path, *, make: bool = False) -> Generator[int]:
    """A descriptor of a folder, which stays that of this folder whatever becomes of its path."""
    folder = os.open(path.anchor, _PASSING)
    try:
        for name in path.parts[1:]:
            inner = _inner(name, folder, make=make)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _inner(name: str, folder: int, *, make: bool) -> int:
    try:
        return os.open(name, _PASSING, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    except NotADirectoryError:
        _status(name, folder)
        raise
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=folder)
    return os.open(name, _PASSING, dir_fd=folder)


def _status(name: str, folder: int) -> os.stat_result:
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
    return found
