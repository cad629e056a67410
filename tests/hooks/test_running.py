"""How hooks run, end and are trusted, and what a person sees of them: docs/hooks.md."""

import asyncio
import json
import os
from pathlib import Path

from octochat.commands.base import Report
from octochat.commands.execute import execute, understood
from octochat.hooks.process import run
from octochat.session.session import Session
from tests.e2e.home import Home
from tests.e2e.wire import said
from tests.frontends.plain.terminal import PlainTerminal
from tests.hooks.told import notes, prompts, results, runs
from tests.hooks.write import given, hook, kept, says
from tests.server import ClaudeServer, call
from tests.waiting import soon


def gone(number: str) -> bool:
    """Whether a process has ended."""
    try:
        state = Path(f"/proc/{int(number)}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state in "ZX"


async def report(session: Session, text: str) -> str:
    (item,) = [item async for item in execute(session, understood(text, session))]
    assert isinstance(item, Report)
    return item.text


async def test_a_time_limit_kills_a_hook_with_all_that_it_started(
    at: Home, server: ClaudeServer
) -> None:
    del server
    pids = at.root / "pids"
    hook(
        at,
        "UserPromptSubmit",
        f"setsid sleep 1000 & a=$!; sleep 1000 & echo $a $! $$ > {pids}; wait",
        timeout=0.5,
    )
    session = at.open()
    await said(session, "go")
    (ran,) = runs(session)
    assert (ran.did, ran.status) == ("failed: it was killed after 0.5 s", None)
    assert prompts(session) == ["go"]
    started = pids.read_text().split()
    assert len(started) == 3
    assert all(gone(number) for number in started)
    await session.close()


async def test_escape_ends_a_hook_and_the_turn(at: Home, server: ClaudeServer) -> None:
    line = at.root / "line"
    os.mkfifo(line)
    hook(at, "UserPromptSubmit", f"echo $$ > {line}; sleep 1000")
    session = at.open()
    turn = asyncio.ensure_future(said(session, "go"))
    number = await soon(asyncio.to_thread(line.read_text))
    session.engine.interrupt()
    await soon(turn)
    assert gone(number)
    assert server.requests == []
    assert runs(session) == []
    await session.close()


async def test_escape_ends_a_hook_before_a_call_and_the_call_is_not_made(
    at: Home, server: ClaudeServer
) -> None:
    line = at.root / "line"
    os.mkfifo(line)
    hook(at, "PreToolUse", f"echo $$ > {line}; sleep 1000", matcher="Write")
    session = at.open(mode="allow-all", allow_all=True)
    server.then(call("write", file_path="a.txt", content="a"))
    turn = asyncio.ensure_future(said(session, "go"))
    number = await soon(asyncio.to_thread(line.read_text))
    session.engine.interrupt()
    await soon(turn)
    assert gone(number)
    assert results(session) == ["[not run: the person interrupted]"]
    assert not (at.project / "a.txt").exists()
    await session.close()


async def test_a_hook_that_prints_without_end_is_ended(tmp_path: Path) -> None:
    ran = await soon(run(("yes",), "", tmp_path, dict(os.environ), 600.0))
    assert ran.ended == "it printed over 50 MB"
    assert len(ran.out) <= 200_000


def settings(at: Home, command: str) -> Path:
    file = at.project / ".claude" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    hooks = {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": command}]}]}
    file.write_text(json.dumps({"hooks": hooks}))
    return file


async def test_a_projects_hooks_run_once_they_are_trusted_as_they_stand(
    at: Home, server: ClaudeServer
) -> None:
    del server
    script = at.project / "check.sh"
    script.write_text("echo checked once\n")
    file = settings(at, 'sh "$CLAUDE_PROJECT_DIR"/check.sh')

    async def added() -> list[bool]:
        """What the hook adds in a new session; nothing where it is not trusted."""
        session = at.open()
        await said(session, "go")
        await session.close()
        return ["checked" in note for note in notes(session)]

    assert await added() == []
    session = at.open()
    told = f"{file}: 1 hook of it will not run, for nobody has trusted it."
    assert any(notice.startswith(told) for notice in session.notices)
    (claim,) = session.claims()
    assert f"/trust yes {claim.number}" in await report(session, "/trust")
    await report(session, f"/trust yes {claim.number}")
    await session.close()
    assert await added() == [True]
    for change in (script, file):
        change.write_text(f"{change.read_text()}\n")
        assert await added() == [], f"{change} has changed"
        asked = at.open()
        (claim,) = asked.claims()
        await report(asked, f"/trust yes {claim.number}")
        await asked.close()
        assert await added() == [True]
    refused = at.open()
    await report(refused, "/trust no")
    await refused.close()


async def test_the_list_of_hooks_names_files_and_those_that_wait(
    at: Home, server: ClaudeServer
) -> None:
    del server
    session = at.open()
    assert await report(session, "/hooks") == (
        "No hooks. docs/hooks.md says what they can do and where they stand."
    )
    await session.close()
    hook(at, "PostToolUse", "./format.sh", matcher="Edit|Write", timeout=5.0)
    file = settings(at, "./check.sh")
    session = at.open()
    assert (await report(session, "/hooks")).splitlines() == [
        "PostToolUse Edit|Write: ./format.sh",
        f"  from {at.settings}, 5 s at most",
        "Not trusted, so they do not run; /trust shows and takes their files:",
        "UserPromptSubmit *: ./check.sh",
        f"  from {file}, 60 s at most",
    ]
    await session.close()


async def test_a_message_is_for_the_person_and_output_may_stay_unseen(
    at: Home, server: ClaudeServer
) -> None:
    hook(at, "UserPromptSubmit", says(systemMessage="mind the gap", suppressOutput=True))
    session = at.open()
    await said(session, "go")
    (ran,) = runs(session)
    assert (ran.did, ran.output) == ("says: mind the gap", "")
    assert "mind the gap" not in json.dumps(server.requests)
    await session.close()
    hook(at, "UserPromptSubmit", says(suppressOutput=True))
    at.configure(at.settings.read_text().replace("mind the gap", ""))
    silent = at.open()
    await said(silent, "go")
    assert runs(silent) == []
    await silent.close()


def test_the_plain_chat_shows_hooks_and_has_custom_commands_and_says_how_it_ended(
    at: Home, server: ClaudeServer
) -> None:
    hook(at, "UserPromptSubmit", says(systemMessage="a word from a hook"))
    hook(at, "SessionEnd", kept(at, "end"))
    command = at.settings.parent / "commands" / "look.md"
    command.parent.mkdir(parents=True)
    command.write_text("---\ndescription: Look around\n---\nLook at $1.")
    with PlainTerminal(at.root, "--plain", "--model", "offline") as chat:
        chat.until("you> ")
        assert "/look" in chat.say("/help")
        told = chat.say("/look README.md")
        assert "UserPromptSubmit hook" in told
        assert "says: a word from a hook" in told
        chat.say("/clear")
        chat.say("hello")
        chat.type("\x04")
        assert chat.ended() == 0
    assert [each["reason"] for each in given(at, "end")] == ["clear", "prompt_input_exit"]


async def test_what_ends_otherwise_says_so_to_the_hooks_that_want_it(
    at: Home, server: ClaudeServer
) -> None:
    del server
    hook(at, "SessionEnd", kept(at, "other"), matcher="other")
    hook(at, "SessionEnd", kept(at, "clear"), matcher="clear")
    for reason in ("clear", "other"):
        session = at.open()
        await said(session, "hello")
        await session.close(reason)
        (end,) = given(at, reason)
        assert end["reason"] == reason


def test_one_answer_without_a_screen_ends_otherwise(at: Home, server: ClaudeServer) -> None:
    del server
    hook(at, "SessionEnd", kept(at, "end"))
    done = at.run("-p", "hello", "--model", "offline")
    assert done.returncode == 0
    assert [each["reason"] for each in given(at, "end")] == ["other"]


async def test_a_hook_that_is_left_out_is_a_line(at: Home, server: ClaudeServer) -> None:
    del server
    file = at.project / ".claude" / "settings.json"
    file.parent.mkdir()
    wrong: dict[str, object] = {
        "Stop": [{"matcher": "(", "hooks": []}],
        "Never": [],
        "SubagentStop": [],
    }
    file.write_text(json.dumps({"hooks": wrong}))
    session = at.open()
    told = "\n".join(session.notices)
    assert "Stop: the matcher '(' is no regular expression" in told
    assert "Never is no event" in told
    assert "hooks of SubagentStop never run" in told
    await session.close()
