"""The lines of a session file, where its end is torn."""

from pathlib import Path

import pytest

from octochat.storage.lines import LogError, read
from tests.storage.test_log import GOLDEN_3


@pytest.mark.parametrize(("lines", "advice"), [(2, "Move the file away"), (3, "head -n 2 ")])
def test_a_last_line_without_an_end_is_named_and_what_stands_before_it_can_be_saved(
    lines: int, advice: str
) -> None:
    torn = b"\n".join(GOLDEN_3.read_bytes().split(b"\n")[:lines])
    with pytest.raises(LogError, match=f"line {lines} is damaged") as raised:
        read(torn, Path("s.jsonl"))
    assert advice in str(raised.value)
