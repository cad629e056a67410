"""Which passages of a session's database answer a query, the best first.

BM25 over words in all their forms; exact phrases over parts of words.
"""

import math
import sqlite3
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from octochat.memory.passages import Passage
from octochat.memory.query import Query, quoted
from octochat.memory.searching import Hit

AROUND = 0.5
"""What a word counts that stands in the passage before or after: a question is often in one
message and its answer in the next."""

LARGE = 5_000
"""From so many passages on, the commonest words of a query are left out, or it would take long."""
SCORED = 5_000
"""The most passages that are scored then."""
SATURATION = 1.2
"""How soon a word that is said again counts no more: k1 of FTS5's BM25, by which a word counts at
most 1 + k1 times."""

Ranked: TypeAlias = tuple[int, float]
"""A passage's number in the database, and its score."""


def ranked(database: sqlite3.Connection, query: Query, least: float = 0.0) -> Sequence[Ranked]:
    """The passages that answer the query with such a score; for one without words, none."""
    if query.empty:
        return ()
    if query.every_phrase:
        scores: Mapping[int, float] = dict(_by_words(database, query, 0.0))
        found = _by_parts(database, query.every_phrase, least)
        return sorted(found, key=lambda each: -scores.get(each[0], 0.0))
    # phrases that are too short for the index of parts: whoever shows the passages looks for them
    if _is_known(database, query):
        return _by_words(database, query, least)
    return _by_parts(database, query.any_part, least)


def count(database: sqlite3.Connection) -> int:
    """How many passages there are."""
    (passages,) = database.execute("select coalesce(max(id), 0) from passage").fetchone()
    return passages


def shown(database: sqlite3.Connection, found: Sequence[Ranked]) -> list[Hit]:
    """The passages themselves, in their order.

    Raises:
        sqlite3.DatabaseError: the database is damaged.
    """
    wanted = "select entry, unit, who, path, at, text from passage where id = ?"
    rows = [
        (database.execute(wanted, (number,)).fetchone(), number, score) for number, score in found
    ]
    if not all(row for row, *_ in rows):
        raise sqlite3.DatabaseError("malformed: a passage is missing")
    return [Hit(Passage(*row), number, score) for row, number, score in rows]


def _weight(passages: int, known: int) -> float:
    """What a word tells that so many of the passages have, as FTS5 counts it."""
    return math.log(max((passages - known + 0.5) / (known + 0.5), 1.0))


def _words(query: Query) -> list[str]:
    return [quoted(word) for word in query.words or query.phrases]


def _is_known(database: sqlite3.Connection, query: Query) -> bool:
    """Whether any passage has any of the words."""
    some = "select 1 from words where words match ? limit 1"
    return database.execute(some, (" OR ".join(_words(query)),)).fetchone() is not None


def _by_words(database: sqlite3.Connection, query: Query, least: float) -> Sequence[Ranked]:
    words = _words(query)
    passages = count(database)
    rarest = max(_weight(passages, 3), 1.0)  # the passages before and after have a word, too
    if passages > LARGE:
        words = _rarest(database, words, least * rarest)
    if not words:
        return ()
    return database.execute(
        "select rowid, -bm25(words, 1.0, ?) / ? s from words where words match ? and s >= ? "
        "order by s desc, rowid",
        (AROUND, rarest, " OR ".join(words), least),
    ).fetchall()


def _rarest(database: sqlite3.Connection, words: Sequence[str], least: float) -> list[str]:
    """The rarest of the words, so many that not too many passages are to be scored.

    None if a passage with all of them would not reach `least`.
    """
    have = "select count(*) from words where words match ?"
    counts = sorted((*database.execute(have, (word,)).fetchone(), word) for word in words)
    passages = count(database)
    if sum(_weight(passages, known) for known, _ in counts) * (1 + SATURATION) < least:
        return []
    sums = accumulate(known for known, _ in counts)
    scored = sum(so_far <= SCORED for so_far in sums)
    return [word for _, word in counts[: max(scored, 1)]]


def _by_parts(database: sqlite3.Connection, wanted: str, least: float) -> Sequence[Ranked]:
    if not wanted:
        return ()
    return database.execute(
        "select rowid, -bm25(parts) s from parts where parts match ? and s >= ? "
        "order by s desc, rowid",
        (wanted, least),
    ).fetchall()
