"""What the command line refuses, and where an answer goes that can't be written."""

import os
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.e2e.home import Home, home


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return home(tmp_path_factory.mktemp("home") / "someone")


def counted(at: Home, out: BinaryIO) -> tuple[int, str]:
    """The exit code and the last line on stderr of a long answer."""
    ran = subprocess.run(
        [sys.executable, "-m", "octochat", "-p", "count to 50", "--model", "offline"],
        env=at.environment,
        cwd=at.project,
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    return ran.returncode, ran.stderr.decode().strip().rpartition("\n")[2]


def test_an_answer_for_which_there_is_no_room_is_told_in_words(offline: Home) -> None:
    with Path("/dev/full").open("wb") as full:
        said = counted(offline, full)
    assert said == (1, "octochat: the answer can't be written: No space left on device")


def test_an_answer_that_nobody_reads_to_its_end_ends_quietly(offline: Home) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as gone:
        assert counted(offline, gone) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "config"),
    [(("--allow", "bahs(git *)"), ""), ((), '[permissions]\ndeny = ["bahs(git *)"]')],
)
def test_a_rule_for_a_tool_that_there_is_not_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], config: str
) -> None:
    at = home(tmp_path / "someone", config=config)
    ran = at.run(*arguments, "-p", "hi", "--model", "offline")
    assert ran.returncode == 2
    words = 'permissions: there is no tool "bahs", as in "bahs(git *)" (did you mean "bash"?)'
    assert words in ran.stderr.decode()
    assert not at.sessions


def test_the_newest_session_and_a_certain_one_are_not_asked_for_together(offline: Home) -> None:
    ran = offline.run("-c", "-r", "20261121-0930", "-p", "hi")
    assert ran.returncode == 2
    assert b"not allowed with argument -c/--continue" in ran.stderr


def test_a_session_is_kept_once_a_person_has_chosen_something_in_it(tmp_path: Path) -> None:
    at = home(tmp_path / "someone")
    assert at.run("-p", "/info", "--model", "offline").returncode == 0
    assert not at.sessions
    assert at.run("-p", "/skill use debugging", "--model", "offline").returncode == 0
    assert len(at.sessions) == 1
