"""The examples of Claude Code's public documentation, unchanged, as files beside this one."""

import shutil
from pathlib import Path

import pytest

from octochat.permissions.ask import AllowOnce, Approval, Verdict
from tests.e2e.home import Home
from tests.e2e.wire import said
from tests.hooks.told import results, runs
from tests.server import ClaudeServer, call

EXAMPLES = Path(__file__).with_name("examples")
pytestmark = pytest.mark.skipif(shutil.which("jq") is None, reason="the examples call jq")


class Yes:
    async def ask(self, approval: Approval) -> Verdict:
        return AllowOnce()


@pytest.fixture
def examples(at: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A trusted project with the examples; npx and notify-send write down how they were called."""
    shutil.copytree(EXAMPLES / ".claude", at.project / ".claude")
    at.configure(f'[permissions]\ntrusted_folders = ["{at.project}"]')
    programs = at.root / "bin"
    programs.mkdir()
    for name in ("npx", "notify-send"):
        program = programs / name
        program.write_text(f'#!/bin/sh\necho "$@" >> {at.root}/{name}.txt\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{at.environment['PATH']}")
    return at


async def test_the_formatter_gets_the_file_that_was_edited(
    examples: Home, server: ClaudeServer
) -> None:
    session = examples.open(mode="accept-edits")
    file = examples.project / "page.js"
    server.then(
        call("write", file_path="page.js", content="let a=1\n"), call("read", file_path="page.js")
    )
    await said(session, "write it")
    assert (examples.root / "npx.txt").read_text() == f"prettier --write {file}\n"
    await session.close()


async def test_the_guard_keeps_rm_rf_from_running_and_says_why(
    examples: Home, server: ClaudeServer
) -> None:
    session = examples.open(mode="allow-all", allow_all=True)
    server.then(
        call("bash", command="cd . && rm -rf notes.txt"), call("bash", command="rm README.md")
    )
    await said(session, "clean up")
    assert (examples.project / "notes.txt").exists()
    assert not (examples.project / "README.md").exists()
    first, _ = results(session)
    assert first == "a hook denied it: Destructive command blocked by hook"
    (run,) = runs(session)
    assert run.did == "denied: Destructive command blocked by hook"
    await session.close()


async def test_the_guard_is_not_even_started_for_other_commands(
    examples: Home, server: ClaudeServer
) -> None:
    (examples.project / ".claude/hooks/block-rm.sh").write_text("#!/bin/sh\ntouch started\n")
    session = examples.open(mode="allow-all", allow_all=True)
    server.then(call("bash", command="echo rm"), call("bash", command="rm README.md"))
    await said(session, "look")
    assert (examples.project / "started").exists()
    (examples.project / "started").unlink()
    server.then(call("bash", command="ls"))
    await said(session, "look again")
    assert not (examples.project / "started").exists()
    await session.close()


async def test_the_notifier_is_told_when_a_question_waits(
    examples: Home, server: ClaudeServer
) -> None:
    session = examples.open(Yes())
    server.then(call("write", file_path="a.txt", content="a"))
    await said(session, "write it")
    await session.close()
    told = (examples.root / "notify-send.txt").read_text()
    assert told == "Claude Code Claude Code needs your attention\n"
