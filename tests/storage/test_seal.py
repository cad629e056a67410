"""A bit that the disk flips is found, and it is said in which line."""

import json
import random
from pathlib import Path

import pytest

from octochat.context.codec.trees import to_tree
from octochat.context.session.events import Entry
from octochat.storage.fork import fork
from octochat.storage.lines import decode, encode, readable
from octochat.storage.log import Log, LogError
from tests.storage.test_damaged_log import opened
from tests.storage.test_log import GOLDEN_3

FLIPS = 300


def sealed(path: Path) -> list[Entry]:
    """The golden session, written by this octochat."""
    golden = path.with_name("golden.jsonl")
    golden.write_bytes(GOLDEN_3.read_bytes())
    entries = opened(golden)
    fork(entries, "golden", None, path, entries[-1].at)
    return opened(path)


def refusal(path: Path) -> str:
    """Why a session does not open; empty where it does."""
    try:
        opened(path)
    except LogError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("last", [False, True], ids=["anywhere", "in the last line"])
def test_every_flipped_bit_is_found_or_harmless(tmp_path: Path, last: bool) -> None:
    path = tmp_path / "s.jsonl"
    before = sealed(path)
    whole = path.read_bytes()
    rng = random.Random(14)
    found = 0
    for _ in range(FLIPS):
        first = whole.rindex(b"\n", 0, -1) + 1 if last else 0
        at = rng.randrange(first, len(whole))
        damaged = bytearray(whole)
        damaged[at] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        said = refusal(path)
        if not said:
            assert opened(path) == before, f"byte {at}: {bytes(damaged[at - 20 : at + 20])!r}"
            continue
        found += 1
        assert path.read_bytes() == damaged, "what can't be used is not touched"
        line = whole.count(b"\n", 0, at) + 1
        assert line == 1 or f"line {line} is damaged" in said
    assert found > FLIPS * 0.9


def test_a_line_without_a_seal_is_read_as_ever_and_one_with_it_by_any_reader_of_json(
    tmp_path: Path,
) -> None:
    entry = sealed(tmp_path / "s.jsonl")[0]
    line = encode(entry)
    assert json.loads(line) == to_tree(entry)
    for told in (line.rstrip(), f"{line.rstrip()} ", f"{line}\r", line):
        assert decode(told.encode()) == entry


def test_a_line_whose_text_was_changed_is_left_out_of_a_search(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    before = sealed(path)
    data = path.read_bytes()
    assert data.count(b"golden")
    changed = list(readable(data.replace(b"golden", b"gilded", 1)))
    assert len(changed) == len(before) - 1


def test_what_is_appended_and_written_anew_is_sealed(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    before = sealed(path)
    log = Log(path, weigh=lambda _: 1, clock=lambda: 1.0)
    path.unlink()
    log.append(before[1].event)
    log.close()
    lines = path.read_text("utf-8").split("\n")[1:-1]
    assert len(lines) == len(before) + 1
    assert all(len(line) - len(line.rstrip()) == 32 for line in lines)
    assert opened(path)[:-1] == before
