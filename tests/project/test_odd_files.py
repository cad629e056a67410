"""Files of a project are read only if they are regular and of a sane size: nothing waits for them.

A test that reads one of these for ever fails by the time-out of the test run.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from octochat.cli.first_paint import FirstPaint, first_paint
from octochat.project.branch import branch_of
from octochat.project.ignored import LARGEST, ignore_file
from octochat.project.surroundings import surroundings
from octochat.skills.skills import MOST, discover


def _large(path: Path) -> None:
    path.write_text("secret\n" * (LARGEST // 7 + 1))


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


ODD: tuple[Callable[[Path], object], ...] = (os.mkfifo, _endless, _large)


@pytest.mark.parametrize("make", ODD)
def test_an_odd_gitignore_ignores_nothing(make: Callable[[Path], object], tmp_path: Path) -> None:
    make(tmp_path / ".gitignore")
    assert ignore_file(tmp_path) == ()


@pytest.mark.parametrize("make", ODD)
def test_an_odd_head_is_no_branch(make: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    make(tmp_path / ".git" / "HEAD")
    assert branch_of(tmp_path) == ""


@pytest.mark.parametrize("make", ODD)
def test_an_odd_virtual_environment_says_nothing(
    make: Callable[[Path], object], tmp_path: Path
) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / "setup.py").touch()
    make(tmp_path / ".venv" / "pyvenv.cfg")
    assert ".venv" not in surroundings(tmp_path, tmp_path, os.environ).get("Python", "")


@pytest.mark.parametrize("make", ODD)
def test_the_first_paint_does_not_wait_for_an_odd_configuration(
    make: Callable[[Path], object], tmp_path: Path
) -> None:
    (tmp_path / ".octochat").mkdir()
    make(tmp_path / ".octochat" / "config.toml")
    assert first_paint(tmp_path, None, {"XDG_CONFIG_HOME": str(tmp_path)}) == FirstPaint()


def test_of_too_many_skills_the_first_are_read_and_the_others_told(tmp_path: Path) -> None:
    for number in range(MOST + 3):
        folder = tmp_path / f"s{number:04}"
        folder.mkdir()
        (folder / "SKILL.md").write_text(f"---\nname: {folder.name}\ndescription: x\n---\nx")
    found = discover((tmp_path,))
    assert (len(found.skills), len(found.left_out)) == (MOST, 3)
    assert "there are 1,000 before it" in found.left_out[0].why
