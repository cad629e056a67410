"""What hooks do to a session, seen in its log and on the wire: docs/hooks.md."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from octochat.context.session.events import Condensed, Held
from octochat.engine.hooking import MOST_STOPS
from octochat.permissions.ask import AllowOnce, Approval, Verdict
from octochat.session.session import Session
from octochat.storage.log import Log
from tests.e2e.home import EAGER, Home
from tests.e2e.wire import grows, said, told
from tests.hooks.told import notes, prompts, results, runs
from tests.hooks.write import given, hook, kept, says, specific
from tests.server import Call, ClaudeServer, call, reply, say


class Asked:
    """Says yes, and remembers what it was asked."""

    def __init__(self) -> None:
        self.approvals: list[Approval] = []

    async def ask(self, approval: Approval) -> Verdict:
        self.approvals.append(approval)
        return AllowOnce()


async def test_a_tool_hook_is_given_the_call_by_the_names_that_it_knows(
    at: Home, server: ClaudeServer
) -> None:
    hook(at, "PreToolUse", kept(at, "pre"))
    hook(at, "PostToolUse", kept(at, "post"), matcher="read")
    session = at.open()
    server.then(call("read", file_path="notes.txt"))
    await said(session, "look")
    await session.close()
    (pre,), (post,) = given(at, "pre"), given(at, "post")
    assert pre["session_id"] == session.engine.log.id
    assert pre["transcript_path"] == str(session.engine.log.path)
    assert (pre["cwd"], pre["permission_mode"]) == (str(at.project), "default")
    assert (pre["hook_event_name"], pre["tool_name"]) == ("PreToolUse", "Read")
    assert pre["tool_input"] == {"file_path": str(at.project / "notes.txt")}
    assert "note 1: TODO" in post["tool_response"]["content"]
    assert runs(session) == []  # they printed nothing and wanted nothing


async def test_exit_2_denies_a_call_and_the_model_reads_why(at: Home, server: ClaudeServer) -> None:
    hook(at, "PreToolUse", "echo no writing on Fridays >&2; exit 2", matcher="Write")
    session = at.open(mode="allow-all", allow_all=True)
    server.then(call("write", file_path="a.txt", content="a"))
    await said(session, "write it")
    assert results(session) == ["a hook denied it: no writing on Fridays"]
    assert not (at.project / "a.txt").exists()
    (run,) = runs(session)
    assert (run.event, run.about, run.status) == ("PreToolUse", "Write", 2)
    assert run.added > 0
    await session.close()


async def test_another_exit_status_is_shown_and_stops_nothing(
    at: Home, server: ClaudeServer
) -> None:
    hook(at, "PreToolUse", "echo oh dear >&2; exit 1")
    session = at.open()
    server.then(call("read", file_path="notes.txt"))
    await said(session, "look")
    assert "note 1: TODO" in results(session)[0]
    (run,) = runs(session)
    assert (run.did, run.output) == ("failed: exit 1", "oh dear")
    await session.close()


async def test_allow_spares_the_question_and_ask_wants_one(at: Home, server: ClaudeServer) -> None:
    hook(at, "PreToolUse", specific("PreToolUse", permissionDecision="allow"), matcher="Write")
    ask = specific("PreToolUse", permissionDecision="ask", permissionDecisionReason="secret?")
    hook(at, "PreToolUse", ask, matcher="Read")
    asked = Asked()
    session = at.open(asked)
    server.then(call("write", file_path="a.txt", content="a"), call("read", file_path="notes.txt"))
    await said(session, "work")
    (approval,) = asked.approvals
    assert approval.call.name == "read"
    assert "a hook asks: secret?" in approval.dangers
    await session.close()


@pytest.mark.parametrize(
    ("rules", "path"),
    [('deny = ["write(a.txt)"]', "a.txt"), ("", ".claude/settings.json"), ('ask = ["write"]', "b")],
)
async def test_allow_overrides_no_rule_and_no_protected_path(
    at: Home, server: ClaudeServer, rules: str, path: str
) -> None:
    at.configure(f"[permissions]\n{rules}\n")
    hook(at, "PreToolUse", specific("PreToolUse", permissionDecision="allow"))
    session = at.open()
    server.then(call("write", file_path=path, content="x"))
    await said(session, "write it")
    assert not (at.project / path).exists()
    await session.close()


async def test_a_hook_may_change_the_input_and_the_rules_see_the_new_one(
    at: Home, server: ClaudeServer
) -> None:
    at.configure('[permissions]\nallow = ["bash(touch one)"]\n')
    changes = specific("PreToolUse", updatedInput={"command": "touch two", "timeout": 5000})
    hook(at, "PreToolUse", changes, matcher="Bash")
    session = at.open()
    server.then(call("bash", command="touch one"))
    await said(session, "run it")
    assert "no rule allows bash(touch two)" in results(session)[0]
    at.configure(at.settings.read_text().replace("touch one", "touch two"))
    await session.close()
    again = at.open()
    server.then(call("bash", command="touch one"))
    await said(again, "run it")
    assert (at.project / "two").exists()
    assert '[A hook changed the input: {"command": "touch two"' in results(again)[0]
    await again.close()


async def test_what_a_hook_says_after_a_call_follows_its_result(
    at: Home, server: ClaudeServer
) -> None:
    hook(at, "PostToolUse", says(decision="block", reason="the tests fail now"), matcher="Read")
    context = specific("PostToolUse", additionalContext="It is generated.")
    hook(at, "PostToolUse", context, matcher="Read")
    session = at.open()
    server.then(call("read", file_path="notes.txt"))
    await said(session, "look")
    assert results(session)[0].endswith(
        "[A hook adds: It is generated.]\n[A hook says of this call: the tests fail now]"
    )
    assert server.refusals == []
    await session.close()


async def test_continue_false_ends_the_turn(at: Home, server: ClaudeServer) -> None:
    hook(at, "PostToolUse", says(**{"continue": False, "stopReason": "enough"}), matcher="Read")
    session = at.open()
    server.then(reply(Call("read", {"file_path": "notes.txt"}), Call("glob", {"pattern": "*"})))
    await said(session, "look")
    assert results(session)[1] == "[not run: a hook ended the turn]"
    assert runs(session)[0].did == "ended the turn: enough"
    assert len(server.requests) == 1
    await session.close()


async def test_a_prompt_may_be_refused_or_added_to(at: Home, server: ClaudeServer) -> None:
    refuse = "grep -q password && { echo no secrets >&2; exit 2; }; echo The branch is main."
    hook(at, "UserPromptSubmit", refuse)
    session = at.open()
    await said(session, "my password is x", "go on")
    assert prompts(session) == ["go on"]
    assert runs(session)[0].did == "blocked: no secrets"
    assert "password" not in json.dumps(server.requests)
    note = '<octochat-hook event="UserPromptSubmit">\nThe branch is main.\n</octochat-hook>'
    assert notes(session) == [note]
    assert server.requests[0]["messages"][-1]["content"][-1]["text"] == note
    await session.close()


async def test_the_start_is_told_once_with_how_it_began(at: Home, server: ClaudeServer) -> None:
    hook(at, "SessionStart", kept(at, "start") + "; echo Use bun.")
    session = at.open()
    await said(session, "one", "two")
    await session.close()
    again = at.open(resume=session.engine.log.id)
    await said(again, "three")
    await again.close()
    assert [each["source"] for each in given(at, "start")] == ["startup", "resume"]
    assert len(notes(session)) == 1
    assert grows(server)


async def test_the_end_is_told_of_a_session_in_which_something_was_said(
    at: Home, server: ClaudeServer
) -> None:
    del server
    hook(at, "SessionEnd", kept(at, "end"))
    silent = at.open()
    await silent.close()
    session = at.open()
    await said(session, "one")
    await session.close()
    (end,) = given(at, "end")
    assert (end["session_id"], end["reason"]) == (session.engine.log.id, "other")


async def test_a_stop_hook_has_the_model_go_on_but_not_for_ever(
    at: Home, server: ClaudeServer
) -> None:
    hook(at, "Stop", kept(at, "stop") + "; echo the tests fail >&2; exit 2")
    session = at.open()
    await said(session, "work")
    active = [each["stop_hook_active"] for each in given(at, "stop")]
    assert active == [False, *[True] * (MOST_STOPS - 1)]
    assert len(server.requests) == MOST_STOPS + 1
    assert "the tests fail" in told(server)
    assert server.refusals == []
    assert grows(server)
    await session.close()


async def test_secrets_in_what_a_hook_prints_are_masked(at: Home, server: ClaudeServer) -> None:
    del server
    key = "sk-ant-api03-" + "a1B2" * 12
    hook(at, "UserPromptSubmit", f"echo the key is {key}")
    session = at.open()
    await said(session, "go")
    assert key not in notes(session)[0]
    assert "the key is" in notes(session)[0]
    await session.close()


async def test_what_a_hook_adds_has_a_limit(at: Home, server: ClaudeServer) -> None:
    del server
    hook(at, "UserPromptSubmit", "head -c 30000 /dev/zero | tr '\\0' x")
    session = at.open()
    await said(session, "go")
    assert "[cut: the hook printed 20,000 characters more]" in notes(session)[0]
    assert len(notes(session)[0]) < 10_200
    await session.close()


def long_talk(at: Home) -> None:
    at.configure(EAGER)
    (at.project / "long.txt").write_text("".join(f"line {n} of it\n" for n in range(2_000)))


async def test_a_compression_is_told_before_and_after(at: Home, server: ClaudeServer) -> None:
    long_talk(at)
    keep = specific("PreCompact", additionalContext="the number 4711")
    hook(at, "PreCompact", f"cat >> {at.root}/pre.jsonl; echo >> {at.root}/pre.jsonl; {keep}")
    hook(at, "PostCompact", kept(at, "post"))
    hook(at, "SessionStart", "echo Use bun.", matcher="compact")
    session = at.open()
    for n in range(6):
        server.then(call("read", file_path="long.txt", ranges=[[n * 100 + 1, n * 100 + 300]]))
        await said(session, f"read part {n}")
    made = [e for e in session.engine.log.entries if isinstance(e.event, Condensed)]
    assert made
    before, after = given(at, "pre")[0], given(at, "post")[0]
    assert (before["trigger"], before["strategy"]) == ("auto", "pressure")
    event = made[0].event
    assert isinstance(event, Condensed)
    assert (after["tokens_before"], after["tokens_after"]) == (event.before, event.after)
    assert after["cost_usd"] == event.cost
    assert after["dropped"]
    assert after["kept"]
    assert not {*after["dropped"]} & {*after["kept"]}
    assert any("This must stay: the number 4711" in json.dumps(body) for body in server.requests)
    assert len([note for note in notes(session) if "Use bun." in note]) == len(made)
    assert server.refusals == []
    await session.close()


async def test_a_hook_that_names_nothing_adds_nothing_to_what_must_stay(
    at: Home, server: ClaudeServer
) -> None:
    long_talk(at)
    hook(at, "PreCompact", kept(at, "pre"))
    session = at.open()
    for n in range(6):
        server.then(call("read", file_path="long.txt", ranges=[[n * 100 + 1, n * 100 + 300]]))
        await said(session, f"read part {n}")
    assert given(at, "pre")
    assert any(isinstance(e.event, Condensed) for e in session.engine.log.entries)
    assert not any("This must stay" in json.dumps(body) for body in server.requests)
    await session.close()


def vetoes(session: Session) -> list[Held]:
    events = [e.event for e in session.engine.log.entries]
    return [e for e in events if isinstance(e, Held) and e.why == "a hook said no: not now"]


async def test_a_veto_is_held_and_asked_again_only_after_growth(
    at: Home, server: ClaudeServer
) -> None:
    long_talk(at)
    hook(at, "PreCompact", kept(at, "pre") + "; echo not now >&2; exit 2")
    session = at.open()
    for n in range(5):
        server.then(call("read", file_path="long.txt", ranges=[[n * 100 + 1, n * 100 + 300]]))
        await said(session, f"read part {n}")
    vetoed = vetoes(session)
    asked = len(given(at, "pre"))
    assert len(vetoed) == asked
    marks = [held.watermark or 0 for held in vetoed]
    assert all(after >= before * 1.1 for before, after in pairwise(marks))
    for n in range(4):
        await said(session, f"short {n}")
    assert len(given(at, "pre")) == asked
    await said(session, "/compact")
    assert given(at, "pre")[-1]["trigger"] == "manual"
    assert not any(isinstance(e.event, Condensed) for e in session.engine.log.entries)
    await session.close()


async def test_a_log_with_hook_runs_reads_back_the_same(at: Home, server: ClaudeServer) -> None:
    hook(at, "PreToolUse", "echo looked at it")
    session = at.open()
    server.then(call("read", file_path="notes.txt"))
    await said(session, "look")
    path = session.engine.log.path
    assert path
    await session.close()
    log = Log(Path(path), weigh=lambda _: 0, clock=lambda: 0.0)
    assert [e.event for e in log.entries] == [e.event for e in session.engine.log.entries]
    assert runs(session)[0].output == "looked at it"
    log.close()


async def test_a_reply_without_hooks_is_as_it_was(at: Home, server: ClaudeServer) -> None:
    server.then(say("hello"))
    session = at.open()
    await said(session, "hi")
    assert runs(session) == []
    assert notes(session) == []
    await session.close()
