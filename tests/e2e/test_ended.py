"""However octochat ends, its tools end with it, the log is whole, and so is the terminal."""

import os
import signal
from pathlib import Path

import pytest

from octochat.context.session.content import plain_text
from octochat.context.session.events import Entry, Returned
from octochat.storage.log import Log
from octochat.text.exit_codes import BY_SIGNAL
from tests.benchmarks.terminal import Terminal
from tests.benchmarks.tui import running
from tests.e2e.home import Home, home
from tests.e2e.test_terminal import ENTER, READY, screen
from tests.server import call
from tests.server.threaded import served
from tests.waiting import come

OFFLINE = ("--model", "offline", "--allow-all")
WORK = "sleep 600 & timeout 600 sleep 600 & /bin/echo $$ $! > pids; sleep 600"
"""Runs in the background, in a process group of its own, and in the foreground."""
BOTH = pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])


def pids(folder: Path) -> list[int]:
    """The processes that the command began, once they are there."""
    try:
        said = (folder / "pids").read_text()
    except FileNotFoundError:
        return []
    return [int(word) for word in said.split()] if said.endswith("\n") else []


def members(session: int) -> list[str]:
    """What still runs in a shell's session."""
    found: list[str] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, fields = stat.read_text().rpartition(")")
        except OSError:
            continue
        state, _, _, leader = fields.split()[:4]
        if state not in "ZX" and int(leader) == session:
            found.append(name)
    return found


def result(at: Path) -> Returned:
    """What the log says of the last call."""
    log = Log(at, weigh=lambda _: 1, clock=lambda: 0.0)
    log.close()
    assert not log.repaired
    last: Entry = log.entries[-1]
    assert isinstance(last.event, Returned)
    return last.event


def test_a_kill_9_takes_the_running_tools_along(tmp_path: Path) -> None:
    with served(call("bash", command=WORK)) as server:
        at = home(tmp_path, server.env)
        with at.start("-p", "go", "--allow-all") as octochat:
            try:
                come(lambda: pids(at.project))
                shell, _ = pids(at.project)
                come(lambda: sum("sleep" in name for name in members(shell)) == 3)
            finally:
                octochat.kill()
        come(lambda: not members(shell))


def test_a_kill_9_of_a_chat_that_waits_takes_its_background_along(tmp_path: Path) -> None:
    at = home(tmp_path)
    with running(screen(at, *OFFLINE)) as person:
        person.sees("offline in", READY)
        person.press("run sleep 600 & /bin/echo $$ $! > pids" + ENTER)
        person.sees("no output", READY)
        shell, _ = pids(at.project)
        assert members(shell)
    come(lambda: not members(shell))


def at_work(person: Terminal, at: Home) -> int:
    """A chat on a screen that runs the command; the shell's number."""
    person.sees("offline in", READY)
    person.press(f"run {WORK}{ENTER}")
    come(lambda: pids(at.project), person.rest)
    return pids(at.project)[0]


@BOTH
def test_the_chat_on_a_screen_ends_in_order(tmp_path: Path, by: signal.Signals) -> None:
    at = home(tmp_path)
    person = screen(at, *OFFLINE)
    shell = at_work(person, at)
    assert person.is_raw
    os.kill(person.pid, by)
    assert person.ended() == BY_SIGNAL + by
    assert not person.is_raw
    assert "To go on with this session: octochat -r" in "\n".join(person.lines())
    assert not members(shell)
    assert "octochat ended" in plain_text(result(at.sessions[0]).content)


def test_the_chat_on_a_screen_ends_in_order_when_the_terminal_is_gone(tmp_path: Path) -> None:
    at = home(tmp_path)
    person = screen(at, *OFFLINE)
    shell = at_work(person, at)
    assert person.hang_up() == BY_SIGNAL + signal.SIGHUP
    assert not members(shell)
    assert "octochat ended" in plain_text(result(at.sessions[0]).content)
