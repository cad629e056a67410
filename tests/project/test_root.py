"""Where a project begins."""

import os
from pathlib import Path

import pytest

from octochat.project.root import down_to, root_of


def test_the_root_is_the_nearest_folder_with_a_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "a" / "b"
    inner.mkdir(parents=True)
    assert root_of(inner) == inner
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere")  # as in a worktree
    assert root_of(inner) == tmp_path / "repo"
    (inner.parent / ".git").mkdir()
    assert root_of(inner) == inner.parent


def test_the_folders_from_the_root_down_or_none_at_all(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    assert down_to(inner, tmp_path) == (tmp_path, tmp_path / "a", inner)
    assert down_to(tmp_path, tmp_path) == (tmp_path,)
    assert down_to(tmp_path, inner) == ()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_repository_of_somebody_else_counts_for_none(tmp_path: Path) -> None:
    inner = tmp_path / "mine"
    inner.mkdir()
    (tmp_path / ".git").mkdir()
    os.chown(tmp_path / ".git", 12_345, 12_345)
    assert root_of(inner) == inner
