"""Many who ask the same get the same, and what is asked once is looked up once."""

from collections.abc import Iterator
from dataclasses import dataclass

from octochat.memory.index import Index
from octochat.memory.query import Query, query
from octochat.memory.searching import Hit, Scope, Searchable
from octochat.replay.shared_search import SharedSearch
from tests.memory.logs import asked, log, said

TALK = log(asked("The server is called kestrel."), said("So kestrel it is."), asked("Now?"))


@dataclass
class Counted(Index):
    """An index that counts the searches."""

    searches: int = 0

    def __post_init__(self) -> None:
        super().__init__()

    def search(self, query: Query, scope: Scope) -> Iterator[Hit]:
        self.searches += 1
        return super().search(query, scope)


def entries(search: Searchable, scope: Scope) -> list[int]:
    return [hit.passage.entry for hit in search.search(query("kestrel"), scope)]


def test_a_second_search_finds_the_same_in_its_own_scope_and_asks_nobody() -> None:
    index = Counted()
    shared = SharedSearch(index)
    shared.update(TALK)
    half = shared.search(query("kestrel"), Scope())
    first = next(half).passage.entry
    everywhere, agent = entries(shared, Scope()), entries(shared, Scope(who="you"))
    assert index.searches == 1
    assert everywhere == entries(index, Scope())
    assert everywhere[0] == first
    assert len(everywhere) > 1
    assert agent == entries(index, Scope(who="you"))
    assert agent
    assert shared.passages == index.passages


def test_what_comes_to_the_log_is_found() -> None:
    shared = SharedSearch(Index())
    shared.update(TALK[:2])
    before = entries(shared, Scope())
    shared.update(TALK)
    assert len(entries(shared, Scope())) > len(before) > 0
