"""`!` lines: what they print, how they are ended, and that a captured one has no terminal."""

import asyncio
from pathlib import Path

import pytest

from octochat.frontends.shared.shell_escape import FLOOD, MOST, NO_SHELL, at_terminal, captured


async def test_the_end_of_much_output_is_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    ran = await captured("yes 0123456789 | head -c 10000000; echo the end", tmp_path)
    assert ran.output.endswith("the end\n")
    assert len(ran.output) == MOST
    assert ran.left_out == 10_000_000 + len("the end\n") - MOST
    assert ran.status == 0
    assert not ran.ended


async def test_endless_output_is_ended(tmp_path: Path) -> None:
    ran = await captured("yes", tmp_path)
    assert ran.ended == "ended after 100 MB"
    assert ran.left_out + MOST > FLOOD


async def test_what_it_leaves_in_the_background_goes_on_without_it(tmp_path: Path) -> None:
    ran = await captured("sleep 60 & echo $!", tmp_path)
    assert ran.status == 0
    later = await captured(f"kill {ran.output.strip()} && echo was there", tmp_path)
    assert later.output == "was there\n"


async def test_a_cancellation_ends_all_of_it_and_gives_what_came(tmp_path: Path) -> None:
    task = asyncio.create_task(captured("echo begun; touch there; sleep 60; echo over", tmp_path))
    await captured("while [ ! -e there ]; do sleep 0.05; done", tmp_path)
    task.cancel()
    ran = await task
    assert (ran.output, ran.ended) == ("begun\n", "stopped")


async def test_it_has_no_terminal(tmp_path: Path) -> None:
    ran = await captured("cat; test -t 0 || test -t 1 || echo none; echo x > /dev/tty", tmp_path)
    assert ran.output.startswith("none\n")
    assert ran.status


@pytest.mark.parametrize(
    ("command", "fact"), [("exit 3", "exit 3"), ("kill -TERM $$", "ended by signal 15")]
)
async def test_both_ways_say_the_same_of_a_failure(tmp_path: Path, command: str, fact: str) -> None:
    for ran in (at_terminal(command, tmp_path), await captured(command, tmp_path)):
        assert ran.failed
        assert ran.facts()[0] == fact


async def test_a_shell_that_is_not_there_is_why_it_did_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/no/such/shell")
    for ran in (at_terminal("ls", tmp_path), await captured("ls", tmp_path)):
        assert ran.failed
        assert ran.ended == NO_SHELL
        assert "/no/such/shell" in ran.output
