"""Looks for words in all sessions, or in those of a folder, by the same indexes as `recall`.

An index that is missing or older than its session is made on the way, the newest first, as long as
the search may take; what is made stays, so a later search gets further.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

from octochat.context.session.events import Entry
from octochat.context.session.state import surviving
from octochat.memory.index import Index, available
from octochat.memory.passages import Passage, Speaker
from octochat.memory.plain_index import PlainIndex
from octochat.memory.query import Query, query
from octochat.memory.searching import Scope, Searchable
from octochat.storage import sessions
from octochat.storage.lines import readable
from octochat.storage.sessions import SessionSummary

SESSIONS = 500
"""The most sessions that are looked through."""
LISTED = 30
"""The most sessions that are listed."""
SHOWN = 3
"""The most passages that are shown of each."""
SECONDS = 5.0
"""How long a search may take."""


@dataclass(frozen=True, slots=True)
class MatchedSession:
    """A session in which something answers."""

    session: SessionSummary
    passages: tuple[Passage, ...]
    """The best first."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What came of a search."""

    query: Query
    hits: tuple[MatchedSession, ...]
    """Those with the best passages first."""
    looked: int
    """Sessions that were looked through."""
    cut: str = ""
    """Why there may be more; empty if there is not."""


@dataclass(frozen=True)
class Where:
    """Which sessions are looked through, and what in them."""

    folder: str = ""
    """The working folder of the sessions; empty: any."""
    other_than: str = ""
    """The id of a session that is left out."""
    who: Speaker | None = None
    path: str = ""
    """Part of the path or command that a result came from."""


@dataclass
class _Session:
    """A session's file and its index."""

    path: Path

    @cached_property
    def stamp(self) -> str:
        """What tells one state of the file from another."""
        about = self.path.stat()
        return f"{about.st_size} {about.st_mtime_ns}"

    @cached_property
    def log(self) -> list[Entry]:
        """Its entries, but for what was undone and for lines that are none."""
        return surviving(list(readable(self.path.read_bytes())))


@dataclass
class _Search:
    """A search under way."""

    query: Query
    where: Where
    end: float
    found: PlainIndex = field(default_factory=PlainIndex)
    """The best passages of each session, to be ranked with those of the others."""
    places: dict[int, Path] = field(default_factory=dict[int, Path])
    """The session that a passage is of, by the passage's identity."""
    kept: list[Passage] = field(default_factory=list[Passage])

    def look(self, session: _Session) -> None:
        """Take in what one session has.

        Raises:
            OSError: its file can't be read.
            sqlite3.Error: its index can't be made.
        """
        index = Index(sessions.index_path(session.path.stem)) if available() else PlainIndex()
        try:
            best = self._best(index) if index.stamp == session.stamp else []
            if index.stamp != session.stamp:  # old, or found to be damaged
                index.update(session.log, session.stamp)
                best = self._best(index)
        finally:
            index.close()
        self.found.add(best)
        self.kept += best
        self.places |= {id(passage): session.path for passage in best}

    def _best(self, index: Searchable) -> list[Passage]:
        hits = index.search(self.query, Scope(self.where.who, self.where.path))
        return [hit.passage for hit in islice(hits, SHOWN)]

    def ranked(self) -> Iterator[MatchedSession]:
        """The sessions, those with the best passages first."""
        told = [hit.passage for hit in self.found.search(self.query, Scope())]
        seen = set(map(id, told))
        told += [passage for passage in self.kept if id(passage) not in seen]
        grouped: dict[Path, list[Passage]] = {}
        for passage in told:
            grouped.setdefault(self.places[id(passage)], []).append(passage)
        for path, passages in grouped.items():
            if about := sessions.summary(path):
                yield MatchedSession(about, tuple(passages))


def search(
    words: str,
    where: Where = Where(),
    *,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> SearchResult:
    """The sessions in which the words stand in any of their forms, and "exact phrases" as is."""
    sweep()
    asked = query(words)
    under_way = _Search(asked, where, clock() + seconds)
    looked, cut = 0, ""
    for path in _wanted(where):
        if looked == SESSIONS:
            cut = f"only the newest {SESSIONS} sessions were looked through"
            break
        if clock() > under_way.end:
            cut = (
                f"the search ended after {seconds:g} s, at sessions that are not indexed yet; "
                "the next one gets further"
            )
            break
        looked += 1
        with suppress(OSError, sqlite3.Error):
            under_way.look(_Session(path))
    hits = tuple(islice(under_way.ranked(), LISTED + 1))
    if len(hits) > LISTED and not cut:
        cut = f"only the best {LISTED} sessions are listed"
    return SearchResult(asked, hits[:LISTED], looked, cut)


def sweep() -> None:
    """Delete the indexes of sessions that are no more."""
    for path in sessions.index_path("x").parent.glob("*.db"):
        if not (sessions.sessions_folder() / f"{path.stem}{sessions.SUFFIX}").exists():
            Index(path).remove()


def _wanted(where: Where) -> Iterator[Path]:
    for path in sessions.by_time():
        if path.stem != where.other_than and where.folder in ("", sessions.folder_of(path)):
            yield path
