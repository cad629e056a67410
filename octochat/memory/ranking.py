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

Ranked: TypeAlias = tuple[int, float]
"""A passage's number in the database, and its score."""


def ranked(database: sqlite3.Connection, query: Query) -> Sequence[Ranked]:
    """The passages that answer the query; for one without words, none."""
    if query.empty:
        return ()
    rarest = _weight(count(database), 3)  # with the passages before and after, which have it, too
    words = [(number, score / rarest) for number, score in _by_words(database, query)]
    if not query.every_phrase:  # too short for the index of parts: whoever shows them looks
        return words or _by_parts(database, query.any_part)
    scores: Mapping[int, float] = dict(words)
    found = _by_parts(database, query.every_phrase)
    return sorted(found, key=lambda each: -scores.get(each[0], 0.0))


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
    """What a word tells that so many of the passages have, as FTS5 counts it; 1 at least."""
    return math.log(max((passages - known + 0.5) / (known + 0.5), math.e))


def _by_words(database: sqlite3.Connection, query: Query) -> Sequence[Ranked]:
    words = [quoted(word) for word in query.words or query.phrases]
    if count(database) > LARGE:
        words = _rarest(database, words)
    return database.execute(
        "select rowid, -bm25(words, 1.0, ?) s from words where words match ? "
        "order by s desc, rowid",
        (AROUND, " OR ".join(words)),
    ).fetchall()


def _rarest(database: sqlite3.Connection, words: Sequence[str]) -> list[str]:
    """The rarest of the words, so many that not too many passages are to be scored."""
    have = "select count(*) from words where words match ?"
    counts = sorted((*database.execute(have, (word,)).fetchone(), word) for word in words)
    sums = accumulate(count for count, _ in counts)
    scored = sum(so_far <= SCORED for so_far in sums)
    return [word for _, word in counts[: max(scored, 1)]]


def _by_parts(database: sqlite3.Connection, wanted: str) -> Sequence[Ranked]:
    if not wanted:
        return ()
    return database.execute(
        "select rowid, -bm25(parts) s from parts where parts match ? order by s desc, rowid",
        (wanted,),
    ).fetchall()
