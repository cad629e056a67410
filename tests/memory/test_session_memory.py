"""What a session remembers, also where its database fails."""

from pathlib import Path

from octochat.memory.all_sessions import Where
from octochat.memory.index import Index
from octochat.memory.session_memory import SessionMemory
from octochat.tools.recall_query import RecallQuery
from tests.memory.logs import asked, log, said


def test_a_database_that_fails_in_a_search_is_done_without_and_told_of_once(tmp_path: Path) -> None:
    told: list[str] = []
    memory = SessionMemory(
        tmp_path / "s.db", tokens=0, strategies=(), earlier=Where(), warn=told.append
    )
    entries = log(asked("Which port has the kestrel?"), said("The kestrel listens on 8471."))
    wanted = RecallQuery("kestrel")
    before = list(memory.found(wanted, entries))
    index = memory._index  # pyright: ignore[reportPrivateUsage]
    assert isinstance(index, Index)
    database = index._database  # pyright: ignore[reportPrivateUsage]
    assert database
    database.set_progress_handler(lambda: 1, 1)  # every statement fails: "interrupted"
    assert set(memory.found(wanted, entries)) == set(before)
    assert len(before) == 2
    assert list(memory.found(wanted, entries))
    (line,) = told
    assert "without an index" in line
    assert "interrupted" in line
