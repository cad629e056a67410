"""The lines of a session file, where its end is torn."""

from pathlib import Path

import pytest

from octochat.context.session.events import Entry, Opened, Titled
from octochat.storage.lines import LATEST, LogError, encode, first_line, read, readable
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


def test_the_last_lines_of_a_file_can_be_read_alone() -> None:
    entries = [Entry(1, 0, 1, Opened("m", "s")), *(Entry(n, 0, 1, Titled("t")) for n in (2, 3, 4))]
    data = lines(*entries)
    assert list(readable(data)) == entries
    assert list(readable(data.removesuffix(b"\n"), last=2)) == entries[-2:]
    assert list(readable(data.removesuffix(b"\n"), last=9)) == entries
