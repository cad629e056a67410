"""A disk that is full or read-only, at every write: what was there stays whole, and it is said.

(docs/reliability.md, "Disks, clocks, terminals")
"""

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest

from octochat.config.project_trust import Answers
from octochat.context.session.events import Condensed, Entry
from octochat.frontends.shared.drafts import Draft, DraftFile, Unsent
from octochat.frontends.shared.history import History
from octochat.models.tokens.calibration import Calibration
from octochat.permissions.remembered import RememberedRules
from octochat.permissions.rule import parse
from octochat.storage.lines import encode
from octochat.tools.nofollow import replaced
from tests.disk import disk_of
from tests.e2e.home import EAGER, Home, home
from tests.e2e.inside import Ran, ran
from tests.e2e.trace import DONE, answers, marks
from tests.server import ClaudeServer
from tests.server.threaded import served

ONCE = EAGER.replace("attempts = 3", "attempts = 1")
A_BIT = 20
"""Bytes of an entry that still fit."""
OVERRIDE, DROP = 1, 24
"""The capability to write what is read-only, and prctl's number to give one up."""

STORES: dict[str, Callable[[Path, int], object]] = {
    "rules": lambda path, n: RememberedRules(path, path.parent).add(parse(f"bash(make {n})")),
    "trust": lambda path, n: Answers(path).remember(path, str(n) * 64, trusted=True),
    "history": lambda path, n: History(path).add(Draft(f"what was sent, number {n}")),
    "draft": lambda path, n: DraftFile(path).save(Unsent(Draft("what was not sent " * n))),
    "a file of the project": lambda path, n: replaced(path, b"a new content\n" * n, None),
}


@pytest.mark.parametrize("name", STORES)
def test_a_small_file_that_does_not_fit_stays_as_it_was(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    STORES[name](path, 1)
    before = path.read_bytes()
    with disk_of(len(before) + A_BIT), pytest.raises(OSError, match="too large"):
        STORES[name](path, 3)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
    STORES[name](path, 9)
    assert path.read_bytes() != before


def test_what_is_learned_of_tokens_leaves_nothing_behind_that_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    with disk_of(A_BIT):
        Calibration(path).learn("claude-sonnet-5", 1_000, 1_200)
    assert list(tmp_path.iterdir()) == []


async def test_an_export_that_does_not_fit_is_said_and_leaves_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = home(tmp_path)
    at.enter(monkeypatch)
    await ran(at, "hello", model="offline")
    with disk_of(A_BIT):
        assert "can't be written" in (await ran(at, "/export it.md", go_on=True)).out
    assert not (at.project / "it.md").exists()
    assert "Exported" in (await ran(at, "/export it.md", go_on=True)).out


async def says(at: Home, prompt: str, *, go_on: bool = True) -> Ran:
    return await ran(at, prompt, go_on=go_on, mode="allow-all", allow_all=True)


def sizes(entries: tuple[Entry, ...]) -> list[int]:
    """Bytes of their lines."""
    return [len(encode(entry).encode()) + 1 for entry in entries]


async def test_a_disk_that_fills_up_at_any_entry_of_a_turn_keeps_those_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ClaudeServer() as server:
        server.default = answers
        at = home(tmp_path, server.env, ONCE)
        at.enter(monkeypatch)
        await says(at, "begin", go_on=False)
        last = await says(at, "go")
        lines = sizes(tuple(last.entries[-4:]))  # said, called, returned, answered
        for cut in range(len(lines)):
            before, ran_before = last.entries, marks(at.project)
            size = at.sessions[0].stat().st_size + sum(lines[:cut]) + lines[cut] // 2
            with disk_of(size):
                told = await says(at, "go")
            assert told.code == 1
            assert "make room" in told.err
            assert len(told.entries) - len(before) == cut
            again = await says(at, "/retry" if cut else "go")
            assert (again.out, again.entries[: len(before)]) == (f"{DONE}\n", before)
            assert marks(at.project) - ran_before == 1
            last = again
        assert server.refusals == []


async def test_a_note_that_does_not_fit_leaves_the_conversation_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ClaudeServer() as server:
        server.default = answers
        at = home(tmp_path, server.env, ONCE)
        at.enter(monkeypatch)
        await says(at, "begin " + "many words " * 900, go_on=False)
        before = await says(at, "go")
        with disk_of(at.sessions[0].stat().st_size + A_BIT):
            told = await says(at, "/compact")
        assert (told.code, list(told.entries)) == (1, list(before.entries))
        again = await says(at, "/compact")
        new = again.entries[len(before.entries) :]
        assert any(isinstance(entry.event, Condensed) for entry in new)
        assert (await says(at, "go")).out == f"{DONE}\n"
        assert server.refusals == []


def read_only() -> None:
    """Not even root may write what is read-only, from here on."""
    ctypes.CDLL(None).prctl(DROP, OVERRIDE, 0, 0, 0)


def test_a_home_that_is_read_only_is_used_and_a_session_that_is_one_is_named(
    tmp_path: Path,
) -> None:
    with served() as server:
        at = home(tmp_path, server.env, ONCE)
        assert at.run("-p", "hello").returncode == 0
        shut = [p for top in ("config", "cache", "data") for p in (at.root / top).rglob("*")]
        folders = [path for path in (at.data, *shut) if path.is_dir()]
        for path in folders:
            path.chmod(0o500)
        used = at.run("-c", "-p", "again", preexec_fn=read_only)
        assert (used.returncode, used.stdout) == (0, b"You said: again\n"), used.stderr
        at.sessions[0].chmod(0o400)
        named = at.run("-c", "-p", "once more", preexec_fn=read_only)
        for path in folders:
            path.chmod(0o700)
    assert named.returncode == 2
    assert b"can't be opened: Permission denied" in named.stderr
    assert b"Traceback" not in used.stderr + named.stderr
