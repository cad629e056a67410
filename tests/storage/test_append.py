"""A small file that is added to: what comes first in it comes once."""

from pathlib import Path

import pytest

from octochat.storage.append import append
from tests.disk import disk_of


def test_the_head_stands_before_the_first_text_only(tmp_path: Path) -> None:
    file = tmp_path / "data" / "folder" / "rules"
    append(file, "one\n", head="# rules\n")
    append(file, "two\n", head="# rules\n")
    assert file.read_text() == "# rules\none\ntwo\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_what_does_not_fit_on_the_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "rules"
    append(file, "one\n")
    with disk_of(6), pytest.raises(OSError, match="too large"):
        append(file, "two\n")
    assert file.read_text() == "one\n"


def test_of_what_no_file_can_hold_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(UnicodeError):
        append(tmp_path / "rules", "\ud800")
    assert not (tmp_path / "rules").exists()
