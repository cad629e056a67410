"""A crash leaves the terminal whole, and the next start offers to go on."""

import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from octochat.commands.execute import execute, understood
from octochat.storage.lock import locked
from octochat.storage.unfinished import unfinished_session
from tests.benchmarks.terminal import Terminal
from tests.benchmarks.tui import running
from tests.e2e.home import Home, home


def screen(at: Home, *arguments: str) -> Terminal:
    """The real program before a person."""
    surroundings = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "ANTHROPIC_API_KEY": ""}
    command = [sys.executable, "-m", "octochat", *arguments]
    return Terminal(command, at.environment | surroundings, at.project)


def freed(session: Path) -> None:
    """Wait until a killed octochat's lock is free."""
    locked(session).close()


def test_after_a_kill_the_next_start_offers_to_go_on(tmp_path: Path) -> None:
    at = home(tmp_path)
    with running(screen(at, "--model", "offline")) as killed:
        killed.sees("offline in")
        killed.press("count to 20000\r")
        killed.sees("7 8 9 10")
    (session,) = at.sessions
    freed(session)
    with running(screen(at, "--model", "offline")) as silent:  # killed, too, and nothing was said
        silent.sees("in the middle of work")
    for each in at.sessions:
        freed(each)
    with running(screen(at, "--model", "offline")) as next_one:
        lines = next_one.sees("in the middle of work", f"/resume {session.stem}", "octochat -c")
        row = next(n for n, line in enumerate(lines, 1) if "in the middle of work" in line)
        assert "“count to 20000”" in lines[row - 1]
        next_one.press(f"\x1b[<0;10;{row}M\x1b[<0;10;{row}m")
        next_one.sees(f"❯ /resume {session.stem}")
        next_one.press("\r")
        lines = next_one.sees("The turn was cut off: /retry goes on", "❯ Ask anything")
        row = next(n for n, line in enumerate(lines, 1) if "/retry goes on" in line)
        next_one.press(f"\x1b[<0;10;{row}M\x1b[<0;10;{row}m")
        next_one.sees("❯ /retry")
        next_one.press("\r")
        next_one.sees("7 8 9 10")
    with running(screen(at, "-c")) as went_on:
        assert not any("in the middle" in line for line in went_on.sees("count to 20000"))


async def test_only_what_was_cut_off_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = home(tmp_path)
    at.enter(monkeypatch)
    session = at.open(model="offline")
    async with aclosing(execute(session, understood("count to 500"))) as stream:
        await anext(stream)
        assert unfinished_session(at.project, "") is None  # somebody is at work on it
    await session.close()
    found = unfinished_session(at.project, "")
    assert found
    assert found.title == "count to 500"
    assert unfinished_session(at.project, found.id) is None
    assert unfinished_session(tmp_path, "") is None
    session = at.open(resume=found.id)
    async with aclosing(execute(session, understood("/retry"))) as stream:
        async for _ in stream:
            pass
    await session.close()
    assert unfinished_session(at.project, "") is None


def test_plain_mode_offers_it_too(tmp_path: Path) -> None:
    at = home(tmp_path)
    with running(screen(at, "--model", "offline", "--plain")) as killed:
        killed.sees("you>")
        killed.press("count to 20000\r")
        killed.sees("7 8 9 10")
    (session,) = at.sessions
    freed(session)
    with running(screen(at, "--model", "offline", "--plain")) as next_one:
        next_one.sees("in the middle of work", f"/resume {session.stem}", "you>")
