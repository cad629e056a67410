"""`octochat -p`: what it prints, where, and how it ends."""

import json
from pathlib import Path
from typing import Any

import pytest

from octochat.storage.log import Log
from octochat.text.figures import count, tokens
from tests.e2e.answers import summary
from tests.e2e.home import Home, home
from tests.sandbox.ground import needs_sandbox
from tests.server import Call, Json, Reply, Say, Think, call, reply, say
from tests.server.threaded import served

KEYS = {
    "session_id", "result", "stop_reason", "model", "calls", "usage", "cost_usd",
    "context_tokens", "edits", "tool_errors", "error",
}  # fmt: skip
USAGE = {
    "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens",
}  # fmt: skip
EDIT = {
    "by", "kind", "before", "after", "why", "trigger", "level", "ratio", "cost_usd",
}  # fmt: skip
OFFLINE = ("--model", "offline")


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return home(tmp_path_factory.mktemp("home") / "someone")


def told(at: Home, *arguments: str) -> dict[str, Any]:
    """The one object of `--output-format json`."""
    ran = at.run(*arguments, "--output-format", "json")
    assert ran.stdout.count(b"\n") == 1, ran.stderr.decode()
    return json.loads(ran.stdout)


def test_text_is_the_answer_and_nothing_else(tmp_path: Path) -> None:
    steps = (
        reply(Think("hm"), Say("I look."), Call("read", {"file_path": "README.md"})),
        say("Ok"),
    )
    with served(*steps) as server:
        ran = home(tmp_path, server.env).run("-p", "hello")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"Ok\n", b"")


def test_json_has_the_keys_that_are_promised_and_the_figures_of_the_bill(tmp_path: Path) -> None:
    with served(call("read", file_path="README.md"), say("It is a project.")) as server:
        shown = told(home(tmp_path, server.env), "-p", "what is it?")
        used = [charge.usage for charge in server.bill]
        assert shown.keys() == KEYS
        assert shown["usage"].keys() == USAGE
        assert shown["result"] == "It is a project."
        assert shown["stop_reason"] == "end_turn"
        assert shown["model"] == "claude-sonnet-5-5"
        assert shown["calls"] == 2
        assert shown["usage"]["output_tokens"] == sum(u.output for u in used)
        assert shown["usage"]["cache_read_input_tokens"] == sum(u.read for u in used)
        assert shown["usage"]["cache_creation_input_tokens"] == sum(u.write_5m for u in used)
        assert abs(shown["cost_usd"] - server.dollars) < 1e-9
        assert shown["context_tokens"] == used[-1].prompt + used[-1].output
        assert (shown["edits"], shown["error"]) == ([], None)


def test_json_tells_of_compressions_and_their_cost_is_in_the_bill(tmp_path: Path) -> None:
    def answer(body: Json) -> Reply:
        return say(json.dumps(summary(should=True)) if "tools" not in body else "word " * 4_000)

    with served() as server:
        server.default = answer
        at = home(tmp_path, server.env)
        at.run("-p", "first")
        at.run("-c", "-p", "second")
        at.run("-c", "-p", "third")
        before = server.dollars
        shown = told(at, "-c", "-p", "/compact table 42")
        assert [edit["by"] for edit in shown["edits"]] == ["compact"]
        edit = shown["edits"][0]
        assert edit.keys() == EDIT
        assert (edit["kind"], edit["before"] > edit["after"]) == ("fold", True)
        assert (edit["trigger"], edit["level"], edit["ratio"]) == ("compact", None, None)
        assert 0 < edit["cost_usd"] <= shown["cost_usd"]
        assert abs(shown["cost_usd"] - (server.dollars - before)) < 1e-9
        assert shown["cost_usd"] > 0
        assert shown["usage"]["output_tokens"] == server.bill[-1].usage.output
        done = told(at, "-c", "-p", "/done now something else")
        assert done["edits"][0]["by"] == "done"
        assert done["result"].startswith("word")
        info = told(at, "-c", "-p", "/info")
        assert info.keys() == KEYS | {"info"}
        assert info["info"]["compressions"]["total"] == 2
        assert info["result"].startswith("Compression Statistics:\n  Total compressions: 2\n")
        assert server.refusals == []


def test_json_and_stderr_tell_what_was_recalled_and_what_it_costs(tmp_path: Path) -> None:
    def answer(body: Json) -> Reply:
        told = f"The server is called kestrel; its port is 8471.\n{'word ' * 4_000}"
        return say(json.dumps(summary(should=True)) if "tools" not in body else told)

    with served() as server:
        server.default = answer
        at = home(tmp_path, server.env)
        at.run("-p", "first")
        for words in ("second", "third", "/compact"):
            at.run("-c", "-p", words)
        ran = at.run("-c", "-p", "which port has kestrel?", "--output-format", "json")
        (edit,) = json.loads(ran.stdout)["edits"]
        assert edit.keys() == {"by", "kind", "passages", "tokens", "cost_usd"}
        assert (edit["by"], edit["kind"]) == ("recall", "recall")
        assert edit["passages"] > 0
        assert 0 < edit["cost_usd"] < 0.01
        said = f"Remembered {count(edit['passages'], 'passage')}, {tokens(edit['tokens'])} tokens"
        assert said in ran.stderr.decode()
        assert told(at, "-c", "-p", "/info")["info"]["recalls"] == {
            "times": 1,
            "passages": edit["passages"],
            "tokens": edit["tokens"],
            "cost": edit["cost_usd"],
        }
        assert server.refusals == []


def test_an_error_is_in_the_json_and_the_exit_code(tmp_path: Path) -> None:
    with served() as server:
        at = home(tmp_path, server.env | {"ANTHROPIC_API_KEY": "wrong"})
        ran = at.run("-p", "hello", "--output-format", "json")
        shown = json.loads(ran.stdout)
        assert ran.returncode == 1
        assert shown.keys() == KEYS
        assert "Check ANTHROPIC_API_KEY" in shown["error"]
        assert shown["result"] == ""


def test_stream_json_is_what_happens_line_by_line_and_the_outcome_last(tmp_path: Path) -> None:
    with served(call("read", file_path="README.md"), say("fine")) as server:
        at = home(tmp_path, server.env)
        lines = at.run("-p", "go", "--output-format", "stream-json").stdout.splitlines()
        parsed = [json.loads(line) for line in lines]
        events = [line["event"]["kind"] for line in parsed if line["kind"] == "entry"]
        assert events == ["prompted", "replied", "returned", "replied"]
        assert {line["kind"] for line in parsed} >= {"text_delta", "tool_started", "call_delta"}
        assert parsed[-1].keys() == KEYS | {"kind"}
        assert parsed[-1]["kind"] == "outcome"
        log = Log(at.sessions[0], weigh=lambda _: 1, clock=lambda: 0.0)
        log.close()
        assert [line["id"] for line in parsed if line["kind"] == "entry"] == [2, 3, 4, 5]


def test_half_characters_in_and_out_are_no_crash(offline: Home) -> None:
    for form in ("text", "json", "stream-json"):
        ran = offline.run("-p", "count to 3", *OFFLINE, "--output-format", form, stdin=b"\xff\xfe")
        assert ran.returncode == 0, ran.stderr.decode()
        assert ran.stdout.decode()


def test_what_is_piped_in_is_appended(tmp_path: Path) -> None:
    with served() as server:
        ran = home(tmp_path, server.env).run("-p", "explain", stdin=b"a stack trace\n")
    assert ran.stdout == b"You said: explain\n\na stack trace\n"


def test_c_goes_on_with_the_newest_session_of_this_folder(offline: Home) -> None:
    first = told(offline, "-p", "one", *OFFLINE)["session_id"]
    assert told(offline, "-c", "-p", "two")["session_id"] == first
    elsewhere = offline.root / "elsewhere"
    elsewhere.mkdir()
    ran = offline.run("-c", "-p", "three", cwd=elsewhere)
    assert ran.returncode == 2
    assert "no earlier session in" in ran.stderr.decode()


def test_r_takes_the_beginning_of_an_id(offline: Home) -> None:
    first = told(offline, "-p", "one", *OFFLINE)["session_id"]
    assert told(offline, "-r", first[:-3], "-p", "two")["session_id"] == first
    ran = offline.run("-r", "2", "-p", "three")
    assert (ran.returncode, "Several sessions begin with 2" in ran.stderr.decode()) == (
        (2, True) if len(offline.sessions) > 1 else (0, False)
    )
    ran = offline.run("-r", "nothing", "-p", "three")
    assert ran.returncode == 2
    assert "There is no session nothing" in ran.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--no-such-flag"], "unrecognized arguments"),
        (["-p", " "], "the prompt is empty"),
        (["-p", "x", "--max-cost", "none"], "not an amount of dollars"),
        (["-p", "x", "--read-only", "--allow-all"], "not allowed with"),
        (["-p", "x", "-r"], "-r needs a session ID"),
        (["-p", "x", "--config", "missing.toml"], "missing.toml"),
        (["-p", "x", "--allow", "bash("], "bash("),
        (["--output-format", "json"], "add -p PROMPT"),
        ([], "needs a terminal"),
    ],
    ids=str,
)
def test_misuse_is_exit_code_2_with_a_reason(
    arguments: list[str], words: str, offline: Home
) -> None:
    before = offline.sessions
    ran = offline.run(*arguments)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert words in ran.stderr.decode()
    assert "Traceback" not in ran.stderr.decode()
    assert offline.sessions == before


def test_a_wrong_key_in_the_configuration_is_named_with_the_near_miss(tmp_path: Path) -> None:
    at = home(tmp_path, config="[compression]\nhints_enable = false\n")
    ran = at.run("-p", "hello", *OFFLINE)
    assert ran.returncode == 2
    said = ran.stderr.decode()
    assert str(at.settings) in said
    assert "compression.hints_enable" in said
    assert 'did you mean "hints_enabled"?' in said
    assert at.sessions == []


def test_without_a_rule_a_command_is_denied_and_the_flag_is_named(tmp_path: Path) -> None:
    at = home(tmp_path)
    ran = at.run("-p", "run /bin/echo hello", *OFFLINE)
    assert "--allow 'bash(/bin/echo *)' at the start would" in ran.stdout.decode()
    ran = at.run("-p", "run /bin/echo hello", *OFFLINE, "--allow", "bash(/bin/echo *)")
    assert "hello" in ran.stdout.decode()
    assert "no rule allows" not in ran.stdout.decode()


def test_read_only_writes_nothing_and_allow_all_asks_nothing(tmp_path: Path) -> None:
    at = home(tmp_path)
    at.run("-p", "write a.txt: hello", *OFFLINE, "--read-only", "--allow", "write")
    assert not (at.project / "a.txt").exists()
    at.run("-p", "write a.txt: hello", *OFFLINE, "--allow-all")
    assert (at.project / "a.txt").read_text() == "hello\n"


@needs_sandbox
def test_in_the_sandbox_a_command_needs_no_rule_and_changes_only_the_folder(
    tmp_path: Path,
) -> None:
    at = home(tmp_path)
    refused = at.run("-p", "run make-believe; touch here", *OFFLINE).stdout.decode()
    assert "no rule allows" in refused
    assert not (at.project / "here").exists()
    ran = at.run("-p", f"run touch here {tmp_path}/there", *OFFLINE, "--sandbox")
    assert "no rule allows" not in ran.stdout.decode()
    assert (at.project / "here").exists()
    assert not (tmp_path / "there").exists()


def test_max_cost_ends_it_before_the_next_call(tmp_path: Path) -> None:
    with served(call("glob", pattern="*"), say("never said")) as server:
        ran = home(tmp_path, server.env).run("-p", "go", "--max-cost", "0.000001")
        assert ran.returncode == 1
        assert "no more than" in ran.stderr.decode()
        assert len(server.requests) == 1


def test_a_command_alone_leaves_no_session_behind_and_a_change_does(tmp_path: Path) -> None:
    at = home(tmp_path)
    for command in ("/help", "/info", "/context", "/knowledge"):
        assert at.run("-p", command, *OFFLINE).returncode == 0
    assert at.sessions == []
    at.run("-p", "/knowledge add the sky is blue", *OFFLINE)
    assert "the sky is blue" in told(at, "-c", "-p", "/knowledge")["result"]


def test_what_a_command_did_is_its_result(tmp_path: Path) -> None:
    at = home(tmp_path)
    at.run("-p", "hello", *OFFLINE)
    used = at.run("-c", "-p", "/skill use debugging")
    assert (used.returncode, used.stdout, used.stderr) == (0, b"Skill loaded: debugging\n", b"")
    forgot = at.run("-c", "-p", "skill(forget)")
    assert forgot.stdout.startswith(b"Skill forgotten: debugging")
    assert told(at, "-c", "-p", "/rename a title")["result"] == "Titled “a title”"
    folded = at.run("-c", "-p", "/done")
    assert b"Task done: the next request starts afresh\n" in folded.stdout
    assert at.run("-c", "-p", "/undo").stdout.startswith(b"Undone: ")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/skill use nosuch", b"There is no skill 'nosuch'"),
        ("skill(forget)", b"No skill is active"),
        ("/unpin 99", b"#99 is not pinned"),
        ("/rename", b"Usage: /rename TITLE"),
    ],
)
def test_a_command_that_cannot_be_carried_out_is_misuse(
    offline: Home, command: str, why: bytes
) -> None:
    ran = offline.run(*OFFLINE, "-p", command)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert why in ran.stderr
    assert b"octochat: " in ran.stderr


def test_a_tool_that_failed_is_named_with_its_call_in_json_and_on_stderr(tmp_path: Path) -> None:
    steps = (
        reply(
            Call("read", {"file_path": "nosuch"}, id="toolu_1"),
            Call("bash", {"command": "echo one; echo two; exit 3"}, id="toolu_2"),
        ),
        say("So be it"),
    )
    with served(*steps) as server:
        ran = home(tmp_path, server.env).run(
            "-p", "go", "--allow", "bash", "--output-format", "json"
        )
        read, shell = json.loads(ran.stdout)["tool_errors"]
        assert (read["tool"], read["call"], read["call_id"]) == ("read", "nosuch", "toolu_1")
        assert read["error"] == "nosuch: no such file"
        assert (shell["tool"], shell["call"]) == ("bash", "echo one; echo two; exit 3")
        assert shell["error"].startswith("one\ntwo\n[exit 3 in ")
        first, second = ran.stderr.decode().splitlines()
        assert first == "octochat: read(nosuch): nosuch: no such file"
        assert second.startswith("octochat: bash(echo one; echo two; exit 3): two [exit 3 in ")
        assert server.refusals == []


def test_without_a_key_it_says_so_and_answers_offline(tmp_path: Path) -> None:
    ran = home(tmp_path).run("-p", "read README.md")
    assert ran.returncode == 0
    assert b"# The project" in ran.stdout
    assert "No API key is set" in ran.stderr.decode()


def test_a_command_that_is_none_is_misuse_and_names_the_nearest(offline: Home) -> None:
    ran = offline.run(*OFFLINE, "-p", "/infoo")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"There is no command /infoo. Did you mean /info?" in ran.stderr
