"""The folders that octochat writes to, who may look into them, the room, sessions and indexes.

It changes nothing, but for a file that it makes and removes to see whether it may.
"""

import os
import shlex
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from octochat.config.load import user_file
from octochat.doctor.finding import Finding, Patient, fault, note
from octochat.storage import sessions
from octochat.storage.data_folder import VARIABLE, data_folder
from octochat.storage.lines import LogError, read, split
from octochat.text.figures import count

LEAST = 100 * 1024 * 1024
"""Bytes of room below which something wants to be done: a long session has some ten of them."""
LOOKED_AT = 50
"""Sessions and indexes that are read, the last used first."""
_OTHERS = 0o077
_OTHERS_WRITE = 0o022


def disk_findings(patient: Patient) -> Iterator[Finding]:
    """All that lies on the disk, but for the project."""
    data = data_folder()
    yield from _writable(data)
    yield from _private(data)
    yield from _configuration(user_file().parent)
    yield from _room(data, patient)
    yield from _sessions()
    yield from _index(patient)


def _writable(data: Path) -> Iterator[Finding]:
    place = _existing(data)
    try:
        with tempfile.NamedTemporaryFile(dir=place, prefix=".octochat-"):
            pass
    except OSError as error:
        yield fault(
            "folders",
            f"the data folder {data} can't be written ({error.strerror})",
            f"Make it writable, or set {VARIABLE} to a folder that is.",
        )
    else:
        origin = f" ({VARIABLE})" if os.environ.get(VARIABLE) else ""
        yield Finding(
            "folders", f"data: {data}{origin}{'' if place == data else ', not there yet'}"
        )


def _private(data: Path) -> Iterator[Finding]:
    """Whether others can read what was said: a closed folder closes all that is in it."""
    inside = ("sessions", "results", "index")
    for folder in (data, *(data / name for name in inside)) if _mode(data) & _OTHERS else ():
        if folder != data and _mode(folder) & _OTHERS:
            yield _open_to_others(folder)
            return
    if data.is_dir() and _mode(data) & _OTHERS_WRITE:
        yield _open_to_others(data)


def _open_to_others(folder: Path) -> Finding:
    return fault(
        "folders",
        f"others on this machine can get into {folder} (mode {_mode(folder):o})",
        f"Close it: chmod -R go= {shlex.quote(str(folder))}",
    )


def _configuration(own: Path) -> Iterator[Finding]:
    for path in (own, own / "config.toml", own / "permissions.toml"):
        if path.exists() and _mode(path) & _OTHERS_WRITE:
            yield fault(
                "folders",
                f"others may change {path} (mode {_mode(path):o}): they could allow things",
                f"Close it: chmod go-w {shlex.quote(str(path))}",
            )
    yield Finding("folders", f"configuration: {own}{'' if own.is_dir() else ', not there yet'}")


def _room(data: Path, patient: Patient) -> Iterator[Finding]:
    try:
        free = patient.free(_existing(data))
    except OSError as error:
        yield note("disk", f"its room can't be told ({error.strerror})")
        return
    if free < LEAST:
        yield fault(
            "disk",
            f"only {free / 1e6:,.0f} MB are left where {data} is",
            f"Make room: `du -sh {shlex.quote(str(data))}/*` shows what octochat takes.",
        )
    else:
        yield Finding("disk", f"{free / 1e9:,.1f} GB are left")


def _sessions() -> Iterator[Finding]:
    looked = 0
    for path in islice(sessions.by_time(), LOOKED_AT):
        looked += 1
        try:
            read(split(path.read_bytes())[0], path)
        except LogError as error:
            yield fault("sessions", str(error), f"Move it elsewhere: mv {shlex.quote(str(path))} ~")
        except OSError as error:
            remedy = f'Make it yours: sudo chown "$USER" {shlex.quote(str(path))}'
            yield fault("sessions", f"{path} can't be read ({error.strerror})", remedy)
    yield Finding("sessions", f"{count(looked, 'session')} looked at, the last used first")


def _index(patient: Patient) -> Iterator[Finding]:
    if not patient.indexes():
        yield fault(
            "index",
            "this Python's SQLite has no FTS5: recall and search look through all they can, slowly",
            "Use a Python whose SQLite has FTS5, such as that of python.org, uv or your system.",
        )
        return
    damaged = [path for path in _newest_indexes() if not _sound(path)]
    for path in damaged:
        remedy = f"Remove it: rm {shlex.quote(str(path))}. It is made anew from the session."
        yield fault("index", f"{path} is damaged", remedy)
    if not damaged:
        yield Finding("index", f"SQLite {sqlite3.sqlite_version} with FTS5")


def _newest_indexes() -> list[Path]:
    found = sessions.index_path("x").parent.glob("*.db")
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)[:LOOKED_AT]


def _sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong; one that is busy counts as sound."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            (said,) = database.execute("pragma quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        return "locked" in str(error) or "unable to open" in str(error)
    except sqlite3.DatabaseError:
        return False
    return said == "ok"


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one around it that there is."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())


def _mode(path: Path) -> int:
    """Its permission bits; 0 where there is nothing."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0
