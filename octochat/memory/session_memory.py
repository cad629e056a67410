"""What a session remembers beyond its context: its index, searched by a tool and by itself."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from octochat.context.plans.room import room_for_recall
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy
from octochat.context.session.events import Entry, Recalled
from octochat.context.session.tags import escaped
from octochat.memory.all_sessions import Where, search
from octochat.memory.automatic import folded, recalled
from octochat.memory.index import Index, available
from octochat.memory.plain_index import PlainIndex
from octochat.memory.query import query
from octochat.memory.quotations import quotation
from octochat.memory.searching import Scope, Searchable
from octochat.tools.recall_query import RecallQuery

_Answer = TypeVar("_Answer")

MOST = 1_000
"""Passages that one search gives, over all its pages."""

WITHOUT = (
    "Earlier messages are searched without an index in this session, which is slower: {why}. "
    "Nothing is lost."
)


class SessionMemory:
    """The index of one session, and the plain one that stands in where a database can't be had."""

    def __init__(
        self,
        path: Path | None,
        *,
        tokens: int,
        strategies: Sequence[Strategy],
        earlier: Where,
        warn: Callable[[str], None],
    ) -> None:
        """Open nothing yet.

        Args:
            path: the database beside the session; None: in memory.
            tokens: the most that automatic recall may add to a prompt; 0: it is off.
            strategies: whose next level what is recalled must not set off.
            earlier: the sessions that count as earlier ones.
            warn: tells the person something, in a line.
        """
        self._tokens: int = tokens
        self._earlier: Where = earlier
        self._strategies: Sequence[Strategy] = strategies
        self._warn: Callable[[str], None] = warn
        self._index: Searchable = Index(path)
        self._checked: bool = False

    def reckon_with(self, tokens: int, strategies: Sequence[Strategy]) -> None:
        """From now on: the most that automatic recall may add, and whose levels count."""
        self._tokens, self._strategies = tokens, strategies

    async def remember(self, situation: Situation, log: Sequence[Entry]) -> Recalled | None:
        """The passages that go along with the prompt being answered, if there are any."""
        if not self._tokens:
            return None
        return await asyncio.to_thread(self._remember, situation, log)

    def found(self, wanted: RecallQuery, log: Sequence[Entry]) -> Iterator[str]:
        """What of the log answers, as the model reads it, the best first.

        Args:
            wanted: the words, and where to look.
            log: the session's entries, what was undone left out.
        """
        if wanted.everywhere:
            yield from self._earlier_ones(wanted)
            return
        alive = {entry.id for entry in log}
        scope = Scope(wanted.who, wanted.path, lambda passage: passage.entry in alive)
        hits = self._searched(
            log, lambda index: list(islice(index.search(query(wanted.words), scope), MOST))
        )
        for hit in hits:
            yield quotation(hit.passage)

    def _earlier_ones(self, wanted: RecallQuery) -> Iterator[str]:
        """What of earlier sessions answers; their entries have no number here."""
        found = search(wanted.words, replace(self._earlier, who=wanted.who, path=wanted.path))
        for hit in found.hits:
            for passage in hit.passages:
                title = escaped(hit.session.title)
                yield f"In session {hit.session.id} ({title}), {quotation(passage, numbered=False)}"
        if found.cut:
            yield f"[There may be more: {found.cut}.]"

    def close(self) -> None:
        """Give the database back."""
        self._index.close()

    def _remember(self, situation: Situation, log: Sequence[Entry]) -> Recalled | None:
        if not folded(situation.state):
            return None
        room = room_for_recall(situation, self._strategies)
        most = min(self._tokens, room)
        return self._searched(log, lambda index: recalled(situation, log, index, most))

    def _searched(self, log: Sequence[Entry], find: Callable[[Searchable], _Answer]) -> _Answer:
        """What is found in the whole log; where the database fails, without it from then on."""
        if not self._checked and not available():
            self._do_without("this Python's SQLite has no full-text search (FTS5)")
        self._checked = True
        try:
            self._index.update(log)
            return find(self._index)
        except (sqlite3.Error, OSError) as error:
            self._do_without(str(error))
            self._index.update(log)
            return find(self._index)

    def _do_without(self, why: str) -> None:
        self._index.close()
        self._index = PlainIndex()
        self._warn(WITHOUT.format(why=why))
