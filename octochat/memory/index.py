"""The full-text index of one session: a SQLite database, made from its log and kept beside it.

Two indexes stand in it: one of words in all their forms, where a passage is also found by what
stands around it, and one of parts of words, for exact phrases. Each session has its own database,
because what a word tells depends on how often it is said there.
"""

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from octochat.context.session.events import Entry
from octochat.memory.passages import Passage, passages
from octochat.memory.query import Query
from octochat.memory.ranking import count, ranked, shown
from octochat.memory.searching import Hit, Scope, fits

VERSION = 2
"""Of the database's layout: another one is made anew."""
BATCH = 50
"""Passages that are read at a time."""
PATIENCE = 5.0
"""Seconds to wait for another octochat that writes to the database."""

_LAYOUT = """
create table indexed(entries integer, mark text, stamp text);
insert into indexed values (0, '', '');
create table passage(
    id integer primary key, entry integer, unit integer, who text, path text, at real, text text
);
create virtual table words using fts5(
    text, around, content='', tokenize='porter unicode61'
);
create virtual table parts using fts5(text, content='', tokenize='trigram');
"""

_STAMP = f"pragma user_version = {VERSION};"

_Answer = TypeVar("_Answer")


class Index:
    """The database of one session. It may be used from any thread."""

    def __init__(self, path: Path | None = None) -> None:
        """Open it when it is first used.

        Args:
            path: the file; its folder is made if need be. None: in memory.
        """
        self.path: Path | None = path
        self._database: sqlite3.Connection | None = None
        self._lock: threading.RLock = threading.RLock()
        self._known: tuple[Sequence[Entry], str] = (), ""
        """The log and the stamp of the last update: what a damaged database is made anew from."""

    @property
    def stamp(self) -> str:
        """That of the file which was last taken in as a whole; empty if none was."""
        (stamp,) = self._with(
            lambda database: database.execute("select stamp from indexed").fetchone()
        )
        return stamp

    def update(self, log: Sequence[Entry], stamp: str = "") -> None:
        """Take in what has come to the log since the last time.

        A log that does not continue what was indexed is indexed anew; so is a damaged database.
        `stamp` tells the state of the file that the log was read from, if it was.

        Raises:
            sqlite3.OperationalError: the disk refuses, or another octochat writes for too long.
            OSError: the folder can't be made.
        """
        self._known = log, stamp
        self._with(lambda database: None if _continues(database, log) else self.remove())
        self._with(lambda database: _take_in(database, log, stamp))

    def search(self, query: Query, scope: Scope) -> Iterator[Hit]:
        """What answers the query, the best first; nothing for a query without words."""
        found = self._with(lambda database: ranked(database, query, scope.least))
        for start in range(0, len(found), BATCH):
            some = found[start : start + BATCH]
            for hit in self._with(lambda database, some=some: shown(database, some)):
                if fits(hit.passage, query, scope):
                    yield hit

    @property
    def passages(self) -> int:
        """How many there are."""
        return self._with(count)

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def remove(self) -> None:
        """Delete the file."""
        self.close()
        if self.path:
            for ending in ("", "-wal", "-shm", "-journal"):
                with suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + ending).unlink()

    def _with(self, work: Callable[[sqlite3.Connection], _Answer]) -> _Answer:
        """Do it; where the file is no sound database, do it with one that is made anew."""
        with self._lock:
            try:
                return work(self._open())
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError) and not _damaged(error):
                    raise
            self.remove()
            _take_in(self._open(), *self._known)
            return work(self._open())

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            if self.path:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._database = _connected(self.path)
            (version,) = self._database.execute("pragma user_version").fetchone()
            if version != VERSION:
                self.remove()
                self._database = _connected(self.path)
                self._database.executescript(f"begin immediate; {_LAYOUT} {_STAMP} commit;")
        return self._database


def available() -> bool:
    """Whether this Python's SQLite has what the index needs."""
    with sqlite3.connect(":memory:") as database:
        try:
            database.execute("create virtual table t using fts5(x, tokenize='trigram')")
        except sqlite3.OperationalError:
            return False
    return True


def _connected(path: Path | None) -> sqlite3.Connection:
    database = sqlite3.connect(
        str(path) if path else ":memory:",
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    if path:
        path.chmod(0o600)
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = normal")  # a crash may cost the end: the log has it
    return database


_SIGNS_OF_DAMAGE = (
    *("no such table", "no such column", "malformed", "not a database", "corrupt"),
    *("vtable constructor failed", "could not decode", "fts5:"),
)


def _damaged(error: sqlite3.OperationalError) -> bool:
    return any(sign in str(error).lower() for sign in _SIGNS_OF_DAMAGE)


def _mark(log: Sequence[Entry], count: int) -> str:
    """What tells whether a log continues the one that was indexed up to here."""
    ends = tuple((e.id, e.at, e.size) for e in (log[0], log[count - 1])) if count else ()
    return hashlib.sha256(repr(ends).encode()).hexdigest()[:16]


def _continues(database: sqlite3.Connection, log: Sequence[Entry]) -> bool:
    done, mark = database.execute("select entries, mark from indexed").fetchone()
    return not done or (done <= len(log) and mark == _mark(log, done))


def _take_in(database: sqlite3.Connection, log: Sequence[Entry], stamp: str) -> None:
    done, known = database.execute("select entries, stamp from indexed").fetchone()
    if done == len(log) and stamp in ("", known):
        return
    database.execute("begin immediate")
    try:
        _insert(database, tuple(passages(log[done:], log[:done])))
        values = (len(log), _mark(log, len(log)), stamp)
        database.execute("update indexed set entries = ?, mark = ?, stamp = ?", values)
    except BaseException:
        database.execute("rollback")
        raise
    database.execute("commit")


def _insert(database: sqlite3.Connection, found: Sequence[Passage]) -> None:
    last = database.execute("select id, text from passage order by id desc limit 2").fetchall()
    before = [(number, text) for number, text in reversed(last)]
    start = before[-1][0] if before else 0
    numbered = list(enumerate(found, start + 1))
    database.executemany(
        "insert into passage values (?, ?, ?, ?, ?, ?, ?)",
        ((n, p.entry, p.unit, p.who, p.path, p.at, p.text) for n, p in numbered),
    )
    if before and found:  # what comes after the last one is known now
        database.execute(
            "insert into words(words, rowid, text, around) values ('delete', ?, ?, ?)",
            (_with_around(before)[-1]),
        )
    rows = _with_around([*before, *((n, p.text) for n, p in numbered)])
    database.executemany(
        "insert into words(rowid, text, around) values (?, ?, ?)",
        (row for row in rows if row[0] >= start and found),
    )
    database.executemany(
        "insert into parts(rowid, text) values (?, ?)",
        ((n, " ".join(p.text.split())) for n, p in numbered),
    )


def _with_around(texts: Sequence[tuple[int, str]]) -> list[tuple[int, str, str]]:
    """Each passage's number and text, and the texts on either side of it."""
    shown = ["", *(text for _, text in texts), ""]
    sides = zip(shown, shown[2:], strict=False)
    return [
        (n, text, f"{before}\n{after}")
        for (n, text), (before, after) in zip(texts, sides, strict=True)
    ]
