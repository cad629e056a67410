"""What one search of the `recall` tool finds for a question."""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from octochat.context.session.events import Entry, EntryId
from octochat.memory.index import Index
from octochat.memory.query import STOP, query
from octochat.memory.quotations import quotation
from octochat.memory.searching import Scope
from octochat.tools.recall import FOUND

Found: TypeAlias = Callable[[str], frozenset[EntryId]]
"""From a question to the prompts, replies and results that one search shows on its first page."""
Search: TypeAlias = Callable[[Sequence[Entry]], Found]
"""Makes a session's log ready to be searched. One that workers can import: it travels to them."""


def keywords(text: str) -> list[str]:
    """The words that a question or an answer is about, in lower case."""
    return [w for w in re.findall(r"[\w']{3,}", text.lower()) if w not in STOP]


def by_index(log: Sequence[Entry]) -> Found:
    """The search of the tool: the question as it stands, and the passages of the first page."""
    index = Index()
    index.update(log)

    def found(question: str) -> frozenset[EntryId]:
        room, entries = FOUND, set[EntryId]()
        for hit in index.search(query(question.replace('"', " ")), Scope()):
            room -= len(quotation(hit.passage))
            if room < 0:
                break
            entries.add(hit.passage.entry)
        return frozenset(entries)

    return found
