"""What a path pattern needs to know of the file system."""

from pathlib import Path

import pytest

from octochat.permissions.path_patterns import folds_case


@pytest.mark.parametrize("name", ["Boat", "2024"])
def test_case_counts_where_the_other_spelling_is_another_file(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    other = folder.with_name(name.swapcase())
    assert folds_case(folder) is (other != folder and other.exists())


def test_of_the_root_nothing_is_known() -> None:
    assert folds_case(Path("/")) is False
