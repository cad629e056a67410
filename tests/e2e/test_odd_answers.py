"""Answers that are whole and yet not what a person waits for: each is said, in every format."""

import json
from pathlib import Path

import pytest

from octochat.context.session.content import Opaque
from octochat.context.session.events import BlockRefused, Replied
from tests.e2e.home import home
from tests.e2e.inside import ran
from tests.server import (
    Call,
    ClaudeServer,
    Instead,
    Odd,
    Say,
    Status,
    Step,
    Think,
    call,
    reply,
    say,
)
from tests.server.script import Stop

SOON = '[retry]\nattempts = 3\nfirst_wait = "0s"\n'
ODD = Odd({"type": "advisor_note", "note": "a word from aside"})


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-sonnet-4-6"])
async def test_a_block_of_an_unknown_kind_stays_in_the_log_and_is_sent_no_more_once_refused(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = reply(Think("hm"), ODD, Think("so"), Say("I look."), Call("read", {"file_path": "x"}))
    async with ClaudeServer(first, say("done"), reply(ODD, Say("again")), say("fine")) as server:
        at = home(tmp_path, server.env, SOON)
        at.enter(monkeypatch)
        told = await ran(at, "go", model=model)
        assert (told.code, told.out) == (0, "done\n")
        assert "takes no block “advisor_note” back" in told.err
        assert (await ran(at, "more", go_on=True)).out == "again\n"
        last = await ran(at, "and more", go_on=True)
        assert last.out == "fine\n"
        assert len(server.refusals) == 1
        assert "advisor_note" in server.refusals[0]
        assert "advisor_note" not in json.dumps(server.requests[2:])
    events = [entry.event for entry in last.entries]
    blocks = [b for e in events if isinstance(e, Replied) for b in e.blocks]
    assert blocks.count(Opaque(ODD.block)) == 2
    assert [e for e in events if isinstance(e, BlockRefused)] == [BlockRefused("advisor_note")]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Instead('{"hello": "I am a proxy"}'), "application/json where a stream was due"),
        (Instead("<html>Log in first</html>", "text/html; charset=utf-8"), "Log in first"),
        (Status(308, headers=(("location", "ftp://elsewhere/"),)), "octochat: "),
        (Status(304), "refused the request"),
        (Status(400, "temperature: no"), "refused the request"),
    ],
)
async def test_what_cannot_pass_is_said_and_not_tried_again(
    step: Step, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ClaudeServer(step) as server:
        at = home(tmp_path, server.env, SOON)
        at.enter(monkeypatch)
        told = await ran(at, "go")
        assert (told.code, told.out) == (1, "")
        assert words in told.err
        assert "Trying again" not in told.err
        assert len(server.requests) == 1
        again = await ran(at, "/retry", go_on=True)
        assert (again.code, again.out) == (0, "You said: go\n")


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("max_tokens", "Cut off at the output limit."),
        ("refusal", "The model declined to answer."),
        ("pause_turn", "The API paused the answer"),
    ],
)
async def test_an_answer_that_was_cut_off_says_so_in_every_format(
    stop: Stop, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ClaudeServer() as server:
        server.default = reply(Say("half of it"), stop=stop)
        at = home(tmp_path, server.env)
        at.enter(monkeypatch)
        text = await ran(at, "go")
        assert (text.out, text.err.count(words)) == ("half of it\n", 1)
        for form in ("json", "stream-json"):
            shown = (await ran(at, "go", form)).outcome
            assert (shown["result"], shown["stop_reason"]) == ("half of it", stop)


async def test_an_empty_answer_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty, thought = reply(stop="end_turn"), reply(Think("hm"), stop="end_turn")
    async with ClaudeServer(empty, thought, say("here")) as server:
        at = home(tmp_path, server.env)
        at.enter(monkeypatch)
        for go_on in (False, True):
            told = await ran(at, "go", go_on=go_on)
            assert (told.code, told.out) == (0, "")
            assert told.err == "octochat: The model gave an empty answer.\n"
        assert (await ran(at, "and?", go_on=True)).out == "here\n"
        assert server.refusals == []


async def test_a_window_that_cuts_off_every_answer_is_not_tried_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = [call("read", file_path=f"{n}.txt") for n in range(12)]
    async with ClaudeServer(*reads) as server:
        server.default = reply(Say("half"), stop="model_context_window_exceeded")
        at = home(tmp_path, server.env)
        at.enter(monkeypatch)
        for n in range(12):
            (at.project / f"{n}.txt").write_text(f"file {n} has many words\n" * 900)
        told = await ran(at, "go")
        assert told.code == 1
        assert "The window cut the answer off 4 times" in told.err
        asked = [m.message for m in server.messages if m.body.get("tools") and m.message]
        cut = [m for m in asked if m["stop_reason"] == "model_context_window_exceeded"]
        assert len(cut) == 4
        assert server.refusals == []
