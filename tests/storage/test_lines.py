"""The lines of a session file, where its end is torn."""

from pathlib import Path

import pytest

from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Entry, Opened, Rewound, Titled
from octochat.storage.lines import LATEST, LogError, encode, first_line, read, readable, split
from tests.build import Story
from tests.storage.test_log import GOLDEN_3


@pytest.mark.parametrize(("lines", "advice"), [(2, "Move the file away"), (3, "head -n 2 ")])
def test_a_last_line_without_an_end_is_named_and_what_stands_before_it_can_be_saved(
    lines: int, advice: str
) -> None:
    torn = b"\n".join(GOLDEN_3.read_bytes().split(b"\n")[:lines])
    with pytest.raises(LogError, match=f"line {lines} is damaged") as raised:
        read(torn, Path("s.jsonl"))
    assert advice in str(raised.value)


def lines(*entries: Entry) -> bytes:
    """A session file with these."""
    return "".join(f"{line}\n" for line in (first_line(), *map(encode, entries))).encode()


@pytest.mark.parametrize(
    ("at", "size", "fits"),
    [(0, 0, True), (LATEST, 9, True), (-1, 0, False), (LATEST * 2, 0, False), (0, -1, False)],
)
def test_an_entry_has_a_time_that_can_be_and_a_size(at: float, size: int, fits: bool) -> None:
    entries = [Entry(1, at, size, Opened("m", "s"))]
    if fits:
        assert read(lines(*entries), Path("s.jsonl"))[0] == entries
    else:
        with pytest.raises(LogError, match=r"line 2 is damaged \((at|size): "):
            read(lines(*entries), Path("s.jsonl"))


@pytest.mark.parametrize("byte", [b"\x0b", b"X", b"\0", b"\t"])
def test_a_last_line_of_which_only_the_end_is_damaged_is_kept_and_named(byte: bytes) -> None:
    data = lines(Entry(1, 0, 0, Opened("m", "s")), Entry(2, 0, 0, Titled("t")))
    damaged = data.removesuffix(b"\n") + byte
    assert split(damaged) == (damaged, b"")
    with pytest.raises(LogError, match="line 3 is damaged"):
        read(damaged, Path("s.jsonl"))


@pytest.mark.parametrize(
    ("end", "torn"),
    [
        (b"", b""),
        (b"\n", b"\n"),
        (b"\0\0\0", b"\0\0\0"),
        (b'{"id":3,"at"', b'{"id":3,"at"'),
        (b"\0\0\0\n", b"\0\0\0\n"),
        (b"5\n", b""),
        (b'{"id":3,"at"\n', b""),
        (b"5\n5", b"5"),
    ],
)
def test_what_a_crash_leaves_is_torn_and_what_was_written_to_its_end_is_not(
    end: bytes, torn: bytes
) -> None:
    data = lines(Entry(1, 0, 0, Opened("m", "s")), Entry(2, 0, 0, Titled("t")))
    assert split(data + end) == ((data + end).removesuffix(torn), torn)


def test_a_first_line_that_is_damaged_leaves_nothing_to_be_saved() -> None:
    with pytest.raises(LogError, match="line 1 is damaged") as raised:
        read(b'{"octochat": \n', Path("s.jsonl"))
    assert str(raised.value).endswith("Move the file away.")


def test_the_first_line_that_does_not_go_with_those_before_it_is_named() -> None:
    fold = Condensed("x", "y", 2, 1, Fold(2, 2, ()))  # of what was undone
    story = Story().say().say().add(0, Rewound(1)).add(0, fold).add(0, Titled("t"))
    with pytest.raises(LogError, match=r"line 6 is damaged \(it does not go with") as raised:
        read(lines(*story.entries), Path("s.jsonl"))
    assert "head -n 5 s.jsonl" in str(raised.value)


def test_the_last_lines_of_a_file_can_be_read_alone() -> None:
    entries = [Entry(1, 0, 1, Opened("m", "s")), *(Entry(n, 0, 1, Titled("t")) for n in (2, 3, 4))]
    data = lines(*entries)
    assert list(readable(data)) == entries
    assert list(readable(data.removesuffix(b"\n"), last=2)) == entries[-2:]
    assert list(readable(data.removesuffix(b"\n"), last=9)) == entries
