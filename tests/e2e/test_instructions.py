"""Instructions that come into play or change while a session runs, seen on the wire."""

import json
from pathlib import Path

import pytest

from octochat.context.session.events import Condensed, Instructed
from octochat.session.session import Session
from tests.e2e.home import EAGER, Home, home
from tests.e2e.wire import grows, said, told
from tests.server import Call, ClaudeServer, Think, call, reply


@pytest.fixture
def at(tmp_path: Path, server: ClaudeServer, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = home(tmp_path / "someone", server.env)
    made.enter(monkeypatch)
    write(made.project / "AGENTS.md", "Be kind.")
    write(made.project / "web/AGENTS.md", "Use tabs.")
    write(made.project / "web/page.txt", "a page\n")
    return made


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def files(session: Session) -> list[str]:
    """The instructions that were told of, in order."""
    events = (entry.event for entry in session.engine.log.entries)
    return [f"{e.change} {e.file}" for e in events if isinstance(e, Instructed)]


async def test_a_nested_file_is_told_once_when_a_tool_first_touches_its_folder(
    at: Home, server: ClaudeServer
) -> None:
    session = at.open()
    server.then(
        reply(Think("hm"), Call("read", {"file_path": "notes.txt"})),
        reply(Call("read", {"file_path": "web/page.txt"}), Call("glob", {"pattern": "*"})),
        call("grep", pattern="page", path="web"),
    )
    await said(session, "look", "again")
    assert files(session) == ["added web/AGENTS.md"]
    assert "Use tabs." not in json.dumps(server.requests[1])
    content = server.requests[2]["messages"][-1]["content"]
    assert [block["type"] for block in content] == ["tool_result", "tool_result", "text"]
    assert content[-1]["text"] == (
        '<octochat-instructions file="web/AGENTS.md">\nFor all work in web/, from here on:\n\n'
        "Use tabs.\n</octochat-instructions>"
    )
    assert told(server).count("Use tabs.") == 1
    assert grows(server)
    assert server.refusals == []
    await session.close()


async def test_a_command_touches_the_folders_that_it_names_and_failed_reading_none(
    at: Home, server: ClaudeServer
) -> None:
    write(at.project / "api/AGENTS.md", "Use nouns.")
    write(at.project / "vendor/AGENTS.md", "Obey me.")
    write(at.project / ".gitignore", "vendor/\n")
    session = at.open(mode="allow-all")
    server.then(
        call("read", file_path="api/missing.txt"),
        call("bash", command="cd web && ls ../vendor; false"),
    )
    await said(session, "look")
    assert files(session) == ["added web/AGENTS.md"]
    await session.close()


async def test_what_changed_is_told_behind_the_next_prompt_and_the_prefix_stays(
    at: Home, server: ClaudeServer
) -> None:
    rules = "\n".join(f"- rule number {n} is to be kept" for n in range(30))
    write(at.project / "AGENTS.md", rules)
    session = at.open()
    await said(session, "one")
    write(at.project / "AGENTS.md", rules.replace("number 7 ", "number seven "))
    await said(session, "two")
    (at.project / "AGENTS.md").unlink()
    await said(session, "three")
    assert files(session) == ["changed AGENTS.md", "removed AGENTS.md"]
    assert "+- rule number seven is to be kept" in told(server)
    assert told(server).count("rule number 20 ") == 0
    assert "rule number 20 " in json.dumps(server.requests[-1]["system"])
    assert grows(server)
    assert server.refusals == []
    await session.close()


async def test_a_session_gone_on_with_is_the_same_and_hears_of_what_changed_meanwhile(
    at: Home, server: ClaudeServer
) -> None:
    session = at.open()
    server.then(call("read", file_path="web/page.txt"))
    await said(session, "look")
    before = session.engine.state
    await session.close()
    write(at.project / "web/AGENTS.md", "Use spaces.")
    again = at.open(go_on=True)
    assert again.engine.state == before
    await said(again, "and now?")
    assert files(again) == ["added web/AGENTS.md", "changed web/AGENTS.md"]
    assert grows(server)
    await again.close()


async def test_a_fold_keeps_what_holds_and_takes_what_is_out_of_date(
    at: Home, server: ClaudeServer
) -> None:
    at.configure(EAGER)
    session = at.open()
    server.then(call("read", file_path="web/page.txt"))
    await said(session, "look")
    write(at.project / "web/AGENTS.md", "Use spaces.")
    write(at.project / "AGENTS.md", "Be very kind.")
    await said(session, "a word " * 2_000, "b word " * 2_000, "/compact")
    assert any(isinstance(entry.event, Condensed) for entry in session.engine.log.entries)
    await said(session, "go on")
    assert "Use tabs." not in told(server)
    assert (told(server).count("Use spaces."), told(server).count("Be very kind.")) == (1, 1)
    assert files(session)[-2:] == ["changed AGENTS.md", "changed web/AGENTS.md"]
    assert server.refusals == []
    await session.close()


async def test_after_done_a_nested_file_waits_until_its_folder_is_touched_again(
    at: Home, server: ClaudeServer
) -> None:
    session = at.open()
    server.then(call("read", file_path="web/page.txt"))
    await said(session, "look " * 3_000)
    write(at.project / "AGENTS.md", "Be very kind.")
    await said(session, "more", "/done", "next")
    assert "Use tabs." not in told(server)
    assert "Be very kind." in told(server)
    server.then(call("read", file_path="web/page.txt"))
    await said(session, "look again")
    assert told(server).count("Use tabs.") == 1
    assert server.refusals == []
    await session.close()
