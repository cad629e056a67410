"""What is proposed in a new session can be done in the folder it is in."""

from pathlib import Path

import pytest

from octochat.frontends.tui.transcript.cards.welcome import readme_in, tries


def test_the_readme_goes_by_its_own_name(tmp_path: Path) -> None:
    assert readme_in(tmp_path) == readme_in(tmp_path / "gone") == ""
    (tmp_path / "README.rst").write_text("words")
    assert readme_in(tmp_path) == "README.rst"


@pytest.mark.parametrize("offline", [True, False])
def test_no_file_is_named_that_is_not_there(offline: bool) -> None:
    proposed = " ".join(words for words, _ in tries("README.rst", offline=offline))
    assert "README.rst" in proposed
    without = tries("", offline=offline)
    assert len(without) == 3
    assert not any("README" in words or "@" in words for words, _ in without)
