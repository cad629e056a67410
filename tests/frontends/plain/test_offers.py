"""The question with which a session opens whose cache is cold, and a note begun in a turn."""

import asyncio
from pathlib import Path

import pytest

from octochat.context.session.events import Condensed
from octochat.storage.log import Log
from tests.cold_session import BY_CODE, cold_session
from tests.e2e.answers import is_summary
from tests.e2e.home import Home, home
from tests.e2e.test_notes import Talker
from tests.frontends.plain.typist import chat_of
from tests.server import ClaudeServer, Json, Reply, call
from tests.server.threaded import served


def opened(tmp_path: Path, patch: pytest.MonkeyPatch, server: ClaudeServer) -> tuple[Home, str]:
    at = home(tmp_path / "home", server.env, BY_CODE)
    at.enter(patch)
    return at, asyncio.run(cold_session(at))


def compacted(at: Home) -> bool:
    """Whether somebody has asked for a compression since the session was built."""
    log = Log(at.sessions[0], weigh=lambda _: 1, clock=lambda: 0.0)
    log.close()
    events = (entry.event for entry in log.entries)
    return any(isinstance(e, Condensed) and e.trigger == "compact" for e in events)


@pytest.mark.parametrize(("typed", "folds"), [("c", True), ("can we go on?", False)])
def test_c_says_yes_to_compressing_first_and_a_word_that_begins_with_it_is_a_prompt(
    typed: str, folds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with served() as server:
        at, session = opened(tmp_path, monkeypatch, server)
        chat_of(at, typed, resume=session)
        told = capsys.readouterr().out
        assert "compress first for nothing? c and Enter does" in told
        assert "warning: The cache" not in told
        assert compacted(at) == folds
        assert len(server.requests) == (0 if folds else 1)


def test_c_means_nothing_once_something_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as server:
        at, session = opened(tmp_path, monkeypatch, server)
        chat_of(at, "/info", "c", resume=session)
        assert not compacted(at)
        said = server.requests[-1]["messages"][-1]["content"]
        assert "c" in [block["text"] for block in said]


def test_without_a_screen_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served() as server:
        at, session = opened(tmp_path, monkeypatch, server)
        ran = at.run("-r", session, "-p", "c")
    assert (ran.returncode, ran.stdout) == (0, b"You said: c\n")
    assert b"compress first" not in ran.stderr


EARLY = """
[compression]
require_benefit = false
write_ahead = 0.5

[[compression.pressure_levels]]
threshold = 20000
target_ratio = 2.0
"""


def test_a_note_is_begun_in_the_middle_of_a_turn_and_its_bill_is_told_if_it_was_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served() as server:
        at = home(tmp_path / "home", server.env, EARLY)
        at.enter(monkeypatch)
        talker, reads = Talker(words=1_600), [call("read", file_path="notes.txt")] * 2

        def answer(body: Json) -> Reply:
            spoken = "Now read." in str(body["messages"][-3:]) and not is_summary(body)
            return reads.pop() if spoken and reads else talker(body)

        server.default = answer
        chat_of(at, *["Go on, please."] * 5, "Now read.", model="claude-sonnet-5-5")
        told = capsys.readouterr().out
        assert "a note was written ahead for nothing: " in told
        assert len(talker.asked) == 1
        assert server.refusals == []
