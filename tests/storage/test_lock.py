"""One at a time may write: a second octochat waits a moment, and then says so."""

from pathlib import Path

import pytest

from octochat.context.session.events import Opened
from octochat.storage.log import LogError
from tests.storage.test_log import opened, read_back, said, session


def test_a_second_writer_is_told_so_and_the_first_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with session(path) as log:
        log.append(Opened("m", "s"))
        with pytest.raises(LogError, match="is open in another octochat"):
            opened(path)
        log.append(said("still here"))
    assert len(read_back(path)) == 2


def test_a_lock_that_is_given_back_in_a_moment_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    waited: list[float] = []
    with session(path) as killed:
        entry = killed.append(Opened("m", "s"))

        def sleep(seconds: float) -> None:
            waited.append(seconds)
            if len(waited) == 3:
                killed.close()

        second = opened(path, sleep=sleep)
        assert list(second.entries) == [entry]
        second.close()
    assert len(waited) == 3


def test_a_lock_that_is_not_given_back_is_waited_for_two_seconds(tmp_path: Path) -> None:
    waited: list[float] = []
    with session(tmp_path / "s.jsonl"), pytest.raises(LogError, match="in another octochat"):
        opened(tmp_path / "s.jsonl", sleep=waited.append)
    assert round(sum(waited), 6) == 2.0


def test_a_session_that_is_discarded_while_it_is_waited_for_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with session(path) as first:
        first.append(Opened("m", "s"))
        second = opened(path, sleep=lambda _: first.discard())
    assert not second.entries
    second.append(Opened("m", "s"))
    second.close()
    assert len(read_back(path)) == 1
