"""What is offered at the start: the session that was cut off, unless somebody is at work on it."""

from pathlib import Path

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import Opened, Prompted, Replied
from octochat.storage.log import Log
from octochat.storage.sessions import sessions_folder
from octochat.storage.unfinished import left_session, unfinished_notice, unfinished_session


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(tmp_path / "data"))


def asked(folder: Path, name: str = "asked") -> Log:
    """A session in which the person waits for an answer."""
    log = Log(sessions_folder() / f"{name}.jsonl", weigh=lambda _: 1, clock=lambda: 5.0)
    log.append(Opened("m", "s", (), str(folder)))
    log.append(Prompted((Text("count to ten"),)))
    return log


def test_one_that_was_cut_off_is_offered_and_one_that_was_answered_is_not(tmp_path: Path) -> None:
    asked(tmp_path).close()
    found = unfinished_session(tmp_path, "")
    assert found
    assert (found.id, found.title) == ("asked", "count to ten")
    assert unfinished_session(tmp_path, "asked") is None
    assert unfinished_session(tmp_path / "elsewhere", "") is None
    answered = Log(found.path, weigh=lambda _: 1, clock=lambda: 6.0)
    answered.append(Replied((Text("1 to 10"),)))
    answered.close()
    assert unfinished_session(tmp_path, "") is None


def test_one_that_somebody_has_open_is_not_offered(tmp_path: Path) -> None:
    log = asked(tmp_path)
    assert unfinished_session(tmp_path, "") is None
    assert left_session(tmp_path, "") is None
    log.close()
    assert unfinished_session(tmp_path, "")
    assert left_session(tmp_path, "") == "asked"
    assert left_session(tmp_path, "asked") is None


def test_one_that_is_damaged_is_not_offered(tmp_path: Path) -> None:
    log = asked(tmp_path)
    log.close()
    path = sessions_folder() / "asked.jsonl"
    path.write_bytes(path.read_bytes().replace(b"count", b"COUNT"))
    assert unfinished_session(tmp_path, "") is None


def test_it_is_told_by_its_title_if_it_has_one(tmp_path: Path) -> None:
    asked(tmp_path).close()
    found = unfinished_session(tmp_path, "")
    assert found
    told = "The last session here ended in the middle of work (“count to ten”, an hour ago)"
    assert unfinished_notice(found, "an hour ago") == told
