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
from octochat.memory.ranking import ranked, shown
from octochat.memory.searching import Hit, Scope, fits

VERSION = 1
"""Of the database's layout: another one is made anew."""
BATCH = 50
"""Passages that are read at a time."""
PATIENCE = 5.0
"""Seconds to wait for another octochat that writes to the database."""

_LAYOUT = """
create table indexed(entries integer, mark text);
insert into indexed values (0, '');
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

    def update(self, log: Sequence[Entry]) -> None:
        """Take in what has come to the log since the last time.

        A log that does not continue what was indexed is indexed anew; so is a damaged database.

        Raises:
            sqlite3.OperationalError: the disk refuses, or another octochat writes for too long.
            OSError: the folder can't be made.
        """
        self._with(lambda database: None if _continues(database, log) else self._remove())
        self._with(lambda database: _take_in(database, log))

    def search(self, query: Query, scope: Scope) -> Iterator[Hit]:
        """What answers the query, the best first; nothing for a query without words."""
        found = self._with(lambda database: ranked(database, query))
        for start in range(0, len(found), BATCH):
            some = found[start : start + BATCH]
            for hit in self._with(lambda database, some=some: shown(database, some)):
                if fits(hit.passage, query, scope):
                    yield hit

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _with(self, work: Callable[[sqlite3.Connection], _Answer]) -> _Answer:
        """Do it; where the file is no sound database, do it with a new one."""
        with self._lock:
            try:
                return work(self._open())
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError) and not _damaged(error):
                    raise
            self._remove()
            return work(self._open())

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            if self.path:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._database = _connected(self.path)
            (version,) = self._database.execute("pragma user_version").fetchone()
            if version != VERSION:
                self._remove()
                self._database = _connected(self.path)
                self._database.executescript(f"begin immediate; {_LAYOUT} {_STAMP} commit;")
        return self._database

    def _remove(self) -> None:
        self.close()
        if self.path:
            for ending in ("", "-wal", "-shm", "-journal"):
                with suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + ending).unlink()


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


_SIGNS_OF_DAMAGE = ("no such table", "no such column", "malformed", "not a database", "corrupt")


def _damaged(error: sqlite3.OperationalError) -> bool:
    return any(sign in str(error) for sign in _SIGNS_OF_DAMAGE)


def _mark(log: Sequence[Entry], count: int) -> str:
    """What tells whether a log continues the one that was indexed up to here."""
    ends = tuple((e.id, e.at, e.size) for e in (log[0], log[count - 1])) if count else ()
    return hashlib.sha256(repr(ends).encode()).hexdigest()[:16]


def _continues(database: sqlite3.Connection, log: Sequence[Entry]) -> bool:
    done, mark = database.execute("select entries, mark from indexed").fetchone()
    return not done or (done <= len(log) and mark == _mark(log, done))


def _take_in(database: sqlite3.Connection, log: Sequence[Entry]) -> None:
    (done,) = database.execute("select entries from indexed").fetchone()
    if done == len(log):
        return
    database.execute("begin immediate")
    try:
        _insert(database, tuple(passages(log[done:], log[:done])))
        values = (len(log), _mark(log, len(log)))
        database.execute("update indexed set entries = ?, mark = ?", values)
    except BaseException:
        database.execute("rollback")
        raise
    database.execute("commit")


def _insert(database: sqlite3.Connection, found: Sequence[Passage]) -> None:
    (last,) = database.execute("select coalesce(max(id), 0) from passage").fetchone()
    numbered = list(enumerate(found, last + 1))
    texts = ["", *(each.text for each in found), ""]
    around = [f"{before}\n{after}" for before, after in zip(texts, texts[2:], strict=False)]
    database.executemany(
        "insert into passage values (?, ?, ?, ?, ?, ?, ?)",
        ((n, p.entry, p.unit, p.who, p.path, p.at, p.text) for n, p in numbered),
    )
    database.executemany(
        "insert into words(rowid, text, around) values (?, ?, ?)",
        ((n, p.text, a) for (n, p), a in zip(numbered, around, strict=True)),
    )
    database.executemany(
        "insert into parts(rowid, text) values (?, ?)",
        ((n, " ".join(p.text.split())) for n, p in numbered),
    )
