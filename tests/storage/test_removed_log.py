"""A session file that somebody removes while it is open: nothing of it is lost."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from octochat.context.session.events import Opened
from octochat.storage.log import Log, LogError
from tests.disk import disk_of
from tests.storage.test_log import opened, read_back, said, session


def test_a_session_whose_file_somebody_removes_is_written_anew_and_said(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "s.jsonl"
    told: list[str] = []
    with session(path, warn=told.append) as log:
        log.append(Opened("m", "s"))
        before = path.read_bytes()
        path.unlink()
        path.parent.rmdir()
        log.append(said("still here"))
        assert path.read_bytes().startswith(before)
        assert told == [f"Somebody removed the session file {path}. octochat wrote it anew."]
        with pytest.raises(LogError, match="in another octochat"):
            opened(path)
        log.append(said("and here"))
    assert len(told) == 1
    assert len(read_back(path)) == 3


@contextmanager
def removed(path: Path) -> Generator[Log]:
    """A session whose file somebody has just removed."""
    with session(path) as log:
        log.append(Opened("m", "s"))
        path.unlink()
        yield log


def test_a_file_that_is_removed_before_the_end_is_there_after_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with removed(path):
        assert not path.exists()
    assert len(read_back(path)) == 1


def test_what_took_the_place_of_a_session_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with removed(path) as log:
        path.write_text("mine")
        with pytest.raises(LogError, match="move it away"):
            log.append(said("again"))
        assert path.read_text() == "mine"
        path.unlink()
        log.append(said("again"))
    assert len(read_back(path)) == 2


def test_a_removed_session_that_does_not_fit_on_the_disk_is_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with removed(path) as log:
        with disk_of(20), pytest.raises(LogError, match="make room"):
            log.append(said("again"))
        log.append(said("again"))
    assert len(read_back(path)) == 2


def test_one_whose_file_is_gone_can_be_discarded(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    log = opened(path)
    path.unlink()
    log.discard()
    assert not path.exists()
    log.append(Opened("m", "s"))
    assert not path.exists()
