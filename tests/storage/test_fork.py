"""A session that begins where another one stood."""

from pathlib import Path

import pytest

from octochat.storage.fork import fork
from tests.build import exchanges
from tests.storage.test_damaged_log import opened


@pytest.mark.parametrize(("now", "named"), [(5.0, 20.0), (500.0, 500.0)])
def test_its_first_line_is_never_older_than_those_that_it_was_given(
    now: float, named: float, tmp_path: Path
) -> None:
    path = tmp_path / "copy.jsonl"
    fork(exchanges(2, 100).entries, "first", None, path, now)
    assert opened(path)[-1].at == named
