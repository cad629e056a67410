"""A past request is built again from the log as the server received it."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from octochat.cli.main import main
from octochat.commands.execute import execute, understood
from octochat.context.session.events import Replied, Titled
from octochat.context.session.system_sections import system_sections
from octochat.models.catalogue import catalogue
from octochat.models.port import ModelError, TextDelta
from octochat.session.past_requests import CHANGED, NOT_SENT, asked, rebuilt
from octochat.session.session import Session
from octochat.storage.lines import read, split
from tests.e2e.answers import is_summary, summary
from tests.e2e.home import EAGER, Home, home
from tests.server import ClaudeServer, Cut, Json, Reply, Say, Think, call, reply, say
from tests.server.script import Fault

LONG = "We looked at src/app.py and must never drop table 42. " * 120


def answers(body: Json) -> Reply | Fault:
    if is_summary(body):
        return say(json.dumps(summary(should=True)))
    return reply(Think("hm"), Say(LONG))


def breaks_off_once(answer: Callable[[Json], Reply | Fault]) -> Callable[[Json], Reply | Fault]:
    """The same, but the next answer of the conversation is cut off."""
    left = [Cut(3, say(LONG))]
    return lambda body: left.pop() if left and not is_summary(body) else answer(body)


@pytest.fixture
async def server() -> AsyncIterator[ClaudeServer]:
    async with ClaudeServer() as made:
        made.default = answers
        yield made


@pytest.fixture
def at(tmp_path: Path, server: ClaudeServer, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = home(tmp_path / "someone", server.env, EAGER)
    (made.project / "AGENTS.md").write_text("# Rules\n\nBe brief.\n\n# Skills\n\nMine.\n")
    made.enter(monkeypatch)
    return made


async def said(session: Session, *prompts: str) -> None:
    """Each prompt is answered; an error is part of life."""
    for prompt in prompts:
        try:
            async with aclosing(execute(session, understood(prompt))) as stream:
                async for _ in stream:
                    pass
        except ModelError:
            continue


def conversation(server: ClaudeServer) -> list[Json]:
    """What the conversation's model was asked."""
    return [body for body in server.requests if not is_summary(body)]


def rebuilt_bodies(session: Session) -> list[Json]:
    log = session.engine.log.entries
    return [rebuilt(each, session.config, catalogue({})).body for each in asked(log)]


async def test_every_request_of_a_session_is_as_the_server_received_it(
    at: Home, server: ClaudeServer
) -> None:
    session = at.open()
    server.then(call("read", file_path="notes.txt"), reply(Think("so"), Say("It is a list.")))
    await said(session, "what is in notes.txt?", "go on", "/undo", "go on better")
    await said(session, *(f"step {n}" for n in range(6)), "/model claude-opus-4-6", "and now?")
    name = session.engine.log.id
    await session.close()
    session = at.open(resume=name)
    await said(session, "once more")
    server.default = breaks_off_once(answers)
    await said(session, "and the last")
    sent, made = conversation(server), rebuilt_bodies(session)
    stops = {each.reply.stop for each in asked(session.engine.log.entries)}
    await session.close()
    assert stops == {"tool_use", "end_turn", "failed"}
    assert len(sent) > 12
    assert server.refusals == []
    assert "<work-so-far" in json.dumps(sent[-1])
    assert list(map(json.dumps, made)) == list(map(json.dumps, sent))


async def test_what_is_written_down_during_a_call_is_not_in_its_request(
    at: Home, server: ClaudeServer
) -> None:
    session = at.open()
    async with aclosing(execute(session, understood("hello"))) as stream:
        async for item in stream:
            if isinstance(item, TextDelta) and not session.engine.state.title:
                session.engine.append(Titled("named meanwhile"))
    assert rebuilt_bodies(session) == conversation(server)
    await session.close()


async def test_a_log_that_was_changed_is_told(at: Home) -> None:
    session = at.open()
    await said(session, "hello")
    path, config = session.engine.log.path, session.config
    await session.close()
    assert path
    unsealed = (line.rstrip() for line in path.read_text("utf-8").splitlines())
    text = "".join(f"{line}\n" for line in unsealed).replace('"text":"hello"', '"text":"hallo"')
    (changed,) = asked(read(split(text.encode())[0], path)[0])
    assert CHANGED in rebuilt(changed, config, catalogue({})).doubts


async def test_of_the_offline_model_it_says_that_nothing_was_sent(at: Home) -> None:
    session = at.open(model="offline")
    await said(session, "hello")
    (only,) = asked(session.engine.log.entries)
    assert NOT_SENT in rebuilt(only, session.config, catalogue({})).doubts
    await session.close()


async def test_show_prints_requests_with_the_sizes_of_their_parts(
    at: Home, server: ClaudeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    session = at.open()
    server.then(call("read", file_path="notes.txt"), say("A list."))
    await said(session, "what is in notes.txt?")
    name = session.engine.log.id
    assert main(["show"]) == 0  # while the session is open
    await session.close()
    assert "A list." in capsys.readouterr().out
    assert main(["show", name[:-2], "--requests"]) == 0
    listed = capsys.readouterr().out
    assert f"{name}: 2 requests" in listed
    assert "tool use" in listed
    assert main(["show", "--requests", "2"]) == 0
    page = capsys.readouterr().out
    for part in ("tools", "  read", "  Where you are", "  Skills", "  prompts", "  tool results"):
        assert f"\n{part} " in page, page[:3_000]
    assert "\n  Instructions " in page
    assert "note 149: TODO" in page
    assert main(["show", "--requests", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == server.requests[1]


async def test_show_says_what_is_wrong(at: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show"]) == 2
    assert "There is no earlier session" in capsys.readouterr().err
    session = at.open()
    await said(session, "hello")
    await session.close()
    assert any(isinstance(e.event, Replied) for e in session.engine.log.entries)
    assert main(["show", "--requests", "7"]) == 2
    assert "There is no request 7" in capsys.readouterr().err
    assert main(["show", "nono"]) == 2
    with pytest.raises(SystemExit):
        main(["show", "--json"])


def test_titles_of_the_project_are_no_sections() -> None:
    project = "# Instructions of this project (A.md)\n\n# Skills\n\nmine\n\n"
    whole = f"You are.\n\n# How to work\n\nWell.\n\n{project}# Skills\n\n- a: b"
    sections = list(system_sections(whole))
    assert [title for title, _ in sections] == [
        "Opening",
        "How to work",
        "Instructions of this project (A.md)",
        "Skills",
    ]
    assert "".join(text for _, text in sections) == whole
