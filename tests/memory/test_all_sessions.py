"""All sessions are searched by their indexes, which are made on the way."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from octochat.context.session.events import Event, Opened, Rewound
from octochat.memory.all_sessions import LISTED, SHOWN, Where, search
from octochat.storage.log import Log
from octochat.storage.sessions import index_path, sessions_folder
from tests.memory.logs import asked, called, returned, said


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(tmp_path))


def session(name: str, *events: Event, folder: str = "/p", used: float = 1.0) -> Path:
    """A session file that was last used at `used`; events are added if it is there."""
    path = sessions_folder() / f"{name}.jsonl"
    log = Log(path, weigh=lambda _: 1, clock=lambda: 5.0)
    if not log.entries:
        log.append(Opened("m", "the system prompt says pineapple", (), folder))
    for event in events:
        log.append(event)
    log.close()
    os.utime(path, (used, used))
    return path


def found(words: str, where: Where | None = None) -> dict[str, list[int]]:
    """The entries that are shown, by the session's id."""
    hits = search(words, where or Where()).hits
    return {hit.session.id: [passage.entry for passage in hit.passages] for hit in hits}


def test_the_session_with_the_best_passage_comes_first() -> None:
    session("a", asked("Which server do we have?"), said("We have the server kestrel."), used=1)
    session("b", asked("Deploy the server."), said("It is deployed."), used=2)
    assert list(found("which server is kestrel")) == ["a", "b"]
    assert found("kestrels") == {"a": [3, 2]}
    assert found('"server kestrel"') == {"a": [3]}


def test_the_folder_the_speaker_and_the_path_narrow_it() -> None:
    session("a", asked("kestrel here"))
    session("b", asked("kestrel there"), folder="/q")
    session("c", called("t", "read", file_path="x.py"), returned("t", "kestrel in a file"))
    assert set(found("kestrel", Where("/q"))) == {"b"}
    assert set(found("kestrel", Where(other_than="a"))) == {"b", "c"}
    assert found("kestrel", Where(who="tool")) == {"c": [3]}
    assert found("kestrel", Where(path="X.PY")) == {"c": [3]}


def test_what_was_said_since_and_what_was_undone_is_known() -> None:
    path = session("a", asked("The server is called kestrel."))
    assert set(found("kestrel")) == {"a"}
    assert found("osprey") == {}
    session("a", asked("No, osprey."))
    assert found('"osprey"') == {"a": [3]}
    session("a", Rewound(2))
    assert found('"osprey"') == {}
    assert index_path(path.stem).exists()


def test_what_recall_answered_and_the_system_prompt_are_not_found() -> None:
    session("a", called("t", "recall", search="kestrel"), returned("t", "#9: kestrel"))
    assert found("kestrel pineapple") == {}


def test_an_index_is_made_once_and_again_where_it_is_damaged() -> None:
    session("a", asked("The server is called kestrel."))
    assert found("kestrel")
    made = index_path("a").stat().st_mtime_ns
    assert found("kestrel")
    assert index_path("a").stat().st_mtime_ns == made
    index_path("a").write_bytes(b"no database" * 500)
    assert found("kestrel")


def test_the_index_of_a_session_that_is_no_more_is_deleted() -> None:
    path = session("a", asked("The server is called kestrel."))
    session("b", asked("kestrel again"))
    assert found("kestrel")
    path.unlink()
    assert set(found("kestrel")) == {"b"}
    assert not index_path("a").exists()
    assert index_path("b").exists()


def ticking() -> Callable[[], float]:
    """A clock that is a second later whenever it is looked at."""
    times: Iterator[float] = iter(range(100))
    return lambda: next(times)


def test_a_search_ends_in_time_and_says_that_there_may_be_more() -> None:
    for n in range(4):
        session(f"s{n}", asked("kestrel"), used=n + 1)
    result = search("kestrel", seconds=2, clock=ticking())
    assert (result.looked, len(result.hits)) == (2, 2)
    assert result.cut.startswith("the search ended after 2 s")
    assert search("kestrel").cut == ""


def test_only_so_much_is_listed_and_told() -> None:
    for n in range(LISTED + 1):
        session(f"s{n}", *(asked(f"kestrel number {m} " * 30) for m in range(SHOWN + 1)))
    result = search("kestrel")
    assert result.cut == f"only the best {LISTED} sessions are listed"
    assert [len(hit.passages) for hit in result.hits] == [SHOWN] * LISTED
