"""The session file: what is in it stays, what is torn is said, and one at a time may write."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import pytest

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Knowledge,
    Opened,
    Prompted,
    Replied,
    Rewound,
    Titled,
)
from octochat.context.session.state import replay
from octochat.storage.lines import encode
from octochat.storage.log import Log, LogError
from tests.disk import disk_of

GOLDEN = Path(__file__).parent / "golden" / "session-v1.jsonl"
"""Written by the first octochat that had format 1. It must be readable for ever: never rewrite."""
GOLDEN_2 = GOLDEN.with_name("session-v2.jsonl")
"""The same for format 2."""
GOLDEN_3 = GOLDEN.with_name("session-v3.jsonl")
"""And for format 3."""
GOLDEN_4 = GOLDEN.with_name("session-v4.jsonl")
"""And for format 4."""


def opened(
    path: Path | None,
    clock: Callable[[], float] = lambda: 1.0,
    sleep: Callable[[float], object] = lambda _: None,
    warn: Callable[[str], object] = lambda _: None,
) -> Log:
    return Log(path, weigh=lambda _: 1, clock=clock, sleep=sleep, warn=warn)


@contextmanager
def session(path: Path, warn: Callable[[str], object] = lambda _: None) -> Generator[Log]:
    log = opened(path, warn=warn)
    try:
        yield log
    finally:
        log.close()


def said(text: str) -> Prompted:
    return Prompted((Text(text),))


def read_back(path: Path) -> list[Entry]:
    with session(path) as log:
        return list(log.entries)


def three(path: Path) -> bytes:
    """A file with three entries."""
    with session(path) as log:
        log.append(Opened("m", "s"))
        log.append(said("first"))
        log.append(said("zweiter „Satz“ 🐙"))
    return path.read_bytes()


def test_the_golden_files_hold_every_kind_of_event_and_are_read() -> None:
    entries = read_back(GOLDEN_4)
    assert {type(entry.event) for entry in entries} == set(get_args(Event))
    assert read_back(GOLDEN_3) == entries[:-4]
    assert read_back(GOLDEN_2) == entries[:-11]
    assert read_back(GOLDEN) == entries[:-12]
    assert [entry.id for entry in entries] == list(range(1, 40))


@pytest.mark.parametrize("golden", [GOLDEN, GOLDEN_2, GOLDEN_3, GOLDEN_4])
def test_what_a_golden_file_says_is_written_as_it_was(golden: Path) -> None:
    lines = golden.read_bytes().splitlines()[1:]
    written = [encode(entry).rstrip().encode() for entry in read_back(golden)]
    assert written == lines


def test_the_golden_session_stands_where_it_stood() -> None:
    entries = read_back(GOLDEN)
    state = replay(entries)
    assert (state.model, state.title) == ("claude-sonnet-4-6", "A golden session")
    assert [skill.name for skill in state.skills] == ["git-commit"]
    assert state.knowledge[0] == Knowledge("fact", "The sky is blue.")
    assert [unit.id for unit in state.view.units] == [2, 3, 7, 8, 9, 13, 14, 20, 21, 27]
    assert state.ledger.calls == 4
    assert round(state.ledger.cost, 6) == 0.0137
    assert state.ledger.unpriced == 1
    assert round(state.ledger.summary_cost, 6) == 0.0015


def test_a_golden_file_is_not_touched_by_being_read() -> None:
    before = GOLDEN.read_bytes()
    read_back(GOLDEN)
    assert GOLDEN.read_bytes() == before


def test_entries_are_on_disk_when_append_returns(tmp_path: Path) -> None:
    with session(tmp_path / "s.jsonl") as log:
        entry = log.append(said("hello"))
        lines = (tmp_path / "s.jsonl").read_text().splitlines()
        assert json.loads(lines[0]) == {"octochat": 4}
        assert lines[1] == encode(entry)


def test_every_beginning_of_a_file_loads_and_can_be_gone_on_with(tmp_path: Path) -> None:
    whole = three(tmp_path / "whole.jsonl")
    entries = read_back(tmp_path / "whole.jsonl")
    path = tmp_path / "torn.jsonl"
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        lines = whole[:size].count(b"\n")
        with session(path) as log:
            assert list(log.entries) == entries[: max(lines - 1, 0)]
            torn = size - (whole[:size].rfind(b"\n") + 1)
            assert (f"({torn} bytes" in log.repaired) == bool(torn)
            log.append(said("on") if log.entries else Opened("m", "s"))
        assert len(read_back(path)) == max(lines - 1, 0) + 1


@pytest.mark.parametrize("rubbish", [b"\0" * 500, b'{"id":4,"at', b"\xff\xfe\n", b"\0\0\n"])
def test_what_a_crash_leaves_at_the_end_is_cut_off_and_said(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "s.jsonl"
    whole = three(path)
    path.write_bytes(whole + rubbish)
    with session(path) as log:
        assert len(log.entries) == 3
        assert f"({len(rubbish)} bytes" in log.repaired
    assert path.read_bytes() == whole


@pytest.mark.parametrize("damage", [b"not json", b"\xff\xfe\xfd", b'{"id": "one"}', b"{}"])
@pytest.mark.parametrize("line", [1, 2])
def test_a_damaged_line_in_the_middle_is_named_and_nothing_is_changed(
    tmp_path: Path, damage: bytes, line: int
) -> None:
    path = tmp_path / "s.jsonl"
    lines = three(path).split(b"\n")
    lines[line] = damage
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(LogError, match=f"line {line + 1}"):
        opened(path)
    assert path.read_bytes() == b"\n".join(lines)


def test_more_than_one_broken_line_at_the_end_is_damage_and_not_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(three(path) + b"broken\nbroken\n")
    before = path.read_bytes()
    with pytest.raises(LogError, match="line 5"):
        opened(path)
    assert path.read_bytes() == before


def test_a_newer_format_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"octochat":99}\n{"anything": "else"}\n')
    with pytest.raises(LogError, match="newer octochat") as caught:
        opened(path)
    assert "Update octochat" in str(caught.value)
    assert path.read_text() == '{"octochat":99}\n{"anything": "else"}\n'


@pytest.mark.parametrize(
    "header", ["[]", '{"other": 1}', '{"octochat": "x"}', '{"octochat": 0}', '{"octochat": true}']
)
def test_another_kind_of_file_is_not_touched(tmp_path: Path, header: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(f"{header}\n{{}}\n")
    with pytest.raises(LogError, match="is not an octochat session; move the file elsewhere"):
        opened(path)
    assert path.read_text() == f"{header}\n{{}}\n"


def test_a_first_line_that_is_no_json_is_damage(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("hello\n{}\n")
    with pytest.raises(LogError, match="line 1 is damaged"):
        opened(tmp_path / "s.jsonl")


def test_half_characters_survive(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with session(path) as log:
        log.append(Opened("m", "s"))
        entry = log.append(said("a file called \udcff\ud800"))
        call = log.append(Replied((ToolCall("t", "read", {"file_path": "\udc80"}),), "tool_use"))
    assert read_back(path)[1:] == [entry, call]
    assert path.read_bytes().decode()  # for whoever reads it with another program


def test_files_and_folders_are_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "sessions" / "s.jsonl"
    with session(path):
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert path.parent.parent.stat().st_mode & 0o777 == 0o700


def test_all_folders_above_are_made(tmp_path: Path) -> None:
    with session(tmp_path / "a" / "b" / "c" / "s.jsonl") as log:
        assert log.append(Opened("m", "s"))


def test_a_session_can_be_opened_again_after_it_was_closed(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    opened(path).close()
    opened(path).close()
    assert path.read_text() == '{"octochat": 4}\n'


def test_an_entry_that_fits_only_in_part_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with session(path) as log:
        log.append(Opened("m", "s"))
        before = path.read_bytes()
        with disk_of(len(before) + 10), pytest.raises(LogError, match="make room"):
            log.append(said("too long for the disk"))
        assert path.read_bytes() == before
        assert len(log.entries) == 1
        entry = log.append(said("now it fits"))
        assert entry.id == 2
    assert read_back(path)[1] == entry


def test_half_a_line_that_could_not_be_taken_back_is_cut_off_before_the_next(
    tmp_path: Path,
) -> None:
    path = tmp_path / "s.jsonl"
    with session(path) as log:
        log.append(Opened("m", "s"))
        with path.open("ab") as other:
            other.write(b'{"half": ')
        log.append(said("whole"))
    assert len(read_back(path)) == 2


def test_a_path_that_is_a_folder_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="can't be opened"):
        opened(tmp_path)


def test_times_never_run_backwards(tmp_path: Path) -> None:
    times = iter([10.0, 5.0, 20.0])
    log = opened(None, clock=lambda: next(times))
    stamps = [log.append(event).at for event in (Opened("m", "s"), Titled("t"), Rewound(1))]
    assert stamps == [10.0, 10.0, 20.0]


def test_what_a_rewind_took_back_does_not_survive_in_the_file_either(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with session(path) as log:
        for event in (Opened("m", "s"), said("kept"), said("taken back"), Rewound(2), said("new")):
            log.append(event)
        assert [entry.id for entry in log.surviving] == [1, 2, 5]
    with session(path) as again:
        assert again.surviving == log.surviving


def test_where_it_stands_is_the_same_opened_again_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    three(path)
    with session(path) as log:
        log.append(said("taken back"))
        for event in (Rewound(2), said("new"), Condensed("x", "y", 9, 5, Fold(2, 2, ()))):
            log.append(event)
            assert log.state() == replay(log.entries)


def test_a_discarded_session_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    opened(path).discard()
    assert not path.exists()
    assert len(three(path).splitlines()) == 4


def test_one_that_was_given_back_is_not_removed_any_more(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    log = opened(path)
    log.close()
    log.discard()
    assert path.exists()


def test_in_memory_nothing_is_written(tmp_path: Path) -> None:
    log = opened(None)
    log.append(Opened("m", "s"))
    log.close()
    assert (log.id, list(tmp_path.iterdir())) == ("", [])
