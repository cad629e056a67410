"""What the model is told of where it is, seen on the wire: the prefix never changes."""

import json
import subprocess
from pathlib import Path

import pytest

from octochat.context.session.events import Opened, Reminded
from octochat.session.session import Session
from tests.e2e.home import Home, home
from tests.e2e.wire import grows, said, told
from tests.server import ClaudeServer, call


@pytest.fixture
def at(tmp_path: Path, server: ClaudeServer, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = home(tmp_path / "someone", server.env)
    made.enter(monkeypatch)
    git(made, "init", "-b", "trunk")
    git(made, "add", ".")
    git(made, "commit", "-m", "The first")
    return made


def git(at: Home, *words: str) -> None:
    names = ("-c", "user.name=n", "-c", "user.email=e@e")
    subprocess.run(["git", *names, *words], cwd=at.project, check=True, capture_output=True)


def system(session: Session) -> str:
    event = session.engine.log.entries[0].event
    assert isinstance(event, Opened)
    return event.system


def scratch(session: Session) -> Path:
    assert session.scratch
    return session.scratch


async def test_the_first_request_says_where_it_is_and_a_resumed_one_what_changed(
    at: Home, server: ClaudeServer
) -> None:
    session = at.open()
    for fact in (
        f"Working folder: {at.project}",
        "Git branch: trunk",
        ", The first",
        "Changed files: 0",
        f"Scratch folder: {scratch(session)} ",
        "Questions: nobody can be asked in this run",
    ):
        assert fact in system(session)
    await said(session, "one", "two")
    await session.close()
    git(at, "switch", "-c", "other")
    (at.project / "new.txt").write_text("x")
    again = at.open(resume=session.engine.log.id)
    await said(again, "three", "four")
    await again.close()
    assert [body["system"][0]["text"] for body in server.requests] == [system(session)] * 4
    last = server.requests[-2]["messages"][-1]["content"]
    assert last[1]["text"] == (
        "<octochat-reminder>\nWhere you are has changed:\n\nGit branch: other\n"
        "Changed files: 1 (new.txt)\n</octochat-reminder>"
    )
    assert told(server).count("Where you are has changed") == 1
    assert len(server.requests) == 4
    assert grows(server)
    assert server.refusals == []


async def test_what_a_compression_took_of_it_is_told_again(at: Home, server: ClaudeServer) -> None:
    session = at.open()
    await said(session, "one " * 500, "two " * 500)
    await session.close()
    git(at, "switch", "-c", "other")
    again = at.open(resume=session.engine.log.id)
    await said(again, "three " * 500, "four")
    assert told(server).count("Git branch: other") == 1
    await said(again, "/done", "five")
    events = [entry.event for entry in again.engine.log.entries]
    assert sum(isinstance(event, Reminded) for event in events) == 2
    assert told(server).count("Git branch: other") == 1
    assert server.refusals == []
    await again.close()


async def test_the_scratch_folder_needs_no_permission_and_goes_if_it_is_empty(
    at: Home, server: ClaudeServer
) -> None:
    session = at.open(allow=("bash(echo *)",))
    here = scratch(session)
    server.then(
        call("write", file_path=f"{here}/a.py", content="x = 1\n"),
        call("edit", file_path=f"{here}/a.py", old_string="1", new_string="2"),
        call("bash", command=f"echo two > {here}/b.txt"),
        call("grep", pattern="x", path=str(here)),
        call("bash", command=f"echo out > {at.project}/b.txt"),
    )
    await said(session, "go")
    assert (here / "a.py").read_text() == "x = 2\n"
    assert (here / "b.txt").read_text() == "two\n"
    results = [json.dumps(body["messages"][-1]) for body in server.requests[1:]]
    assert ["is_error" in result for result in results] == [False, False, False, False, True]
    assert "this run allows no questions" in results[-1]
    await session.close()
    assert here.exists()
    empty = at.open()
    await empty.close()
    assert not scratch(empty).exists()
    assert here.stat().st_mode & 0o777 == 0o700


def test_the_offline_model_answers_the_prompt_and_not_what_it_is_told_behind_it(
    tmp_path: Path,
) -> None:
    at = home(tmp_path / "someone")
    at.run("-p", "hello", "--model", "offline")
    ran = at.run("-c", "-p", "read notes.txt", "--model", "offline", "--allow", "bash(ls)")
    assert b"note 1: TODO" in ran.stdout
    assert b"octochat: The model was told what has changed where it works" in ran.stderr
