"""What can go wrong, one by one: each gives a clear line, and nothing is lost."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from math import isclose
from pathlib import Path

import pytest

from octochat.context.session.content import Text, plain_text
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.storage.log import Log
from tests.e2e.home import Home, home
from tests.server import (
    ClaudeServer,
    Cut,
    EndEarly,
    ErrorEvent,
    Gate,
    Held,
    Malformed,
    Reset,
    Status,
    Step,
    call,
    say,
)
from tests.server.threaded import served

ONCE = "[retry]\nattempts = 1\n"
SOON = '[retry]\nattempts = 3\nfirst_wait = "0s"\n'


@contextmanager
def at_home(root: Path, *steps: Step, config: str = ONCE) -> Generator[tuple[Home, ClaudeServer]]:
    with served(*steps) as server:
        yield home(root, server.env, config), server


def entries(at: Home) -> list[Entry]:
    """What the only session holds."""
    log = Log(at.sessions[-1], weigh=lambda _: 1, clock=lambda: 0.0)
    log.close()
    return list(log.entries)


def prompts(at: Home) -> list[str]:
    events = [entry.event for entry in entries(at)]
    return [plain_text(event.blocks) for event in events if isinstance(event, Prompted)]


def line_of(ran: subprocess.CompletedProcess[bytes]) -> str:
    """The one line on stderr that says what is wrong."""
    lines = ran.stderr.decode().splitlines()
    assert all(line.startswith("octochat: ") for line in lines), ran.stderr.decode()
    return lines[-1]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Status(401, "invalid x-api-key"), "Check ANTHROPIC_API_KEY"),
        (Status(429, "slow down", retry_after=0), "rate limit is reached (slow down)"),
        (Status(529, "Overloaded"), "overloaded"),
        (Reset(), "No connection to http://127.0.0.1"),
        (Cut(after=4), "broke off or was malformed"),
        (EndEarly(after=4), "broke off or was malformed"),
        (Malformed(after=4), "broke off or was malformed"),
        (ErrorEvent(after=4), "overloaded"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_a_failed_call_is_one_clear_line_and_the_prompt_is_kept(
    fault: Step, words: str, tmp_path: Path
) -> None:
    with at_home(tmp_path, fault) as (at, server):
        ran = at.run("-p", "my long question")
        assert ran.returncode == 1
        assert ran.stdout == b""
        assert words in line_of(ran)
        assert prompts(at) == ["my long question"]
        again = at.run("-c", "-p", "/retry")
        assert (again.returncode, again.stdout) == (0, b"You said: my long question\n")
        assert server.refusals == []


def test_no_route_is_a_clear_line(tmp_path: Path) -> None:
    with at_home(tmp_path) as (at, _):
        pass
    ran = at.run("-p", "hello")
    assert ran.returncode == 1
    assert f"No connection to {at.server['ANTHROPIC_BASE_URL']}" in line_of(ran)
    assert "--model offline" in line_of(ran)
    assert prompts(at) == ["hello"]


def test_a_rate_limit_is_waited_out_as_long_as_the_api_asks(tmp_path: Path) -> None:
    with at_home(tmp_path, Status(429, "slow down", retry_after=1), config=SOON) as (at, _):
        ran = at.run("-p", "hello")
    assert (ran.returncode, ran.stdout) == (0, b"You said: hello\n")
    assert "rate limit is reached (slow down). Trying again in 1 s (2 of 3)." in line_of(ran)


def test_what_a_broken_call_cost_is_in_the_bill(tmp_path: Path) -> None:
    with at_home(tmp_path, Cut(after=5), say("fine"), config=SOON) as (at, server):
        told = json.loads(at.run("-p", "hello", "--output-format", "json").stdout)
        assert told["calls"] == 1
        assert isclose(told["cost_usd"], server.dollars)
        assert told["usage"]["output_tokens"] == sum(c.usage.output for c in server.bill)
        assert len(server.bill) == 2


def limited(at: Home, size: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """octochat on a disk that takes files of so many bytes and no more."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return at.run(*arguments, preexec_fn=limit)


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path) -> None:
    with at_home(tmp_path) as (at, server):
        assert at.run("-p", "first").returncode == 0
        before = at.sessions[0].read_bytes()
        ran = limited(at, len(before) + 40, "-c", "-p", "second " * 100)
        assert ran.returncode == 1
        assert "can't be written" in line_of(ran)
        assert "make room" in line_of(ran)
        assert at.sessions[0].read_bytes() == before
        again = at.run("-c", "-p", "third")
        assert (again.returncode, again.stdout) == (0, b"You said: third\n")
        assert prompts(at) == ["first", "third"]
        assert server.refusals == []


def test_a_disk_that_fills_up_while_the_model_answers_keeps_the_prompt(tmp_path: Path) -> None:
    with at_home(tmp_path, say("first"), say("long " * 5_000)) as (at, _):
        assert at.run("-p", "first").returncode == 0
        size = at.sessions[0].stat().st_size
        ran = limited(at, size + 2_000, "-c", "-p", "second")
        assert ran.returncode == 1
        assert "can't be written" in line_of(ran)
        assert prompts(at) == ["first", "second"]
        again = at.run("-c", "-p", "/retry")
        assert (again.returncode, again.stdout) == (0, b"You said: second\n")


def test_a_data_folder_that_cannot_be_one_is_named(tmp_path: Path) -> None:
    with at_home(tmp_path) as (at, server):
        at.data.write_text("a file where a folder should be")
        ran = at.run("-p", "hello")
        assert ran.returncode == 2
        assert str(at.data) in line_of(ran)
        assert "Set OCTOCHAT_DATA_DIR" in line_of(ran)
        assert server.requests == []


def test_a_read_only_data_folder_is_named(tmp_path: Path) -> None:
    with at_home(tmp_path) as (at, _):
        ran = at.run("-p", "hello", environment={"OCTOCHAT_DATA_DIR": "/proc/octochat"})
    assert ran.returncode == 2
    assert "/proc/octochat" in line_of(ran)
    assert "Set OCTOCHAT_DATA_DIR" in line_of(ran)


def test_a_binary_file_is_said_to_be_one(tmp_path: Path) -> None:
    with at_home(tmp_path, call("read", file_path="program"), say("I see")) as (at, server):
        (at.project / "program").write_bytes(bytes(range(256)) * 100)
        ran = at.run("-p", "read program")
        assert (ran.returncode, ran.stdout) == (0, b"I see\n")
        assert "binary" in line_of(ran)
        assert server.refusals == []


def test_a_file_of_50_mb_does_not_get_into_the_context(tmp_path: Path) -> None:
    reads = call("read", file_path="big.txt")
    with at_home(tmp_path, reads, say("I see")) as (at, server):
        with (at.project / "big.txt").open("wb") as file:
            for _ in range(50):
                file.write(b"0123456789abcde\n" * 65_536)
        ran = at.run("-p", "read big.txt", "--output-format", "json")
        assert ran.returncode == 0
        assert json.loads(ran.stdout)["context_tokens"] < 30_000
        returned = [e.event for e in entries(at) if isinstance(e.event, Returned)]
        assert "for the rest use ranges" in plain_text(returned[0].content)
        assert server.refusals == []


def test_a_prompt_of_1_mb_reaches_a_model_with_room_for_it(tmp_path: Path) -> None:
    words = b"some words of a large text. " * 37_500
    with at_home(tmp_path, say("read")) as (at, server):
        ran = at.run("-p", "sum this up", stdin=words)
        assert (ran.returncode, ran.stdout) == (0, b"read\n")
        sent = server.requests[0]["messages"][-1]["content"][0]["text"]
        assert sent == "sum this up\n\n" + words.decode()
        assert server.refusals == []


def test_a_prompt_too_large_for_the_window_is_named_and_kept(tmp_path: Path) -> None:
    words = b"some words of a large text. " * 37_500
    with at_home(tmp_path) as (at, server):
        ran = at.run("-p", "sum this up", "--model", "claude-haiku-4-5", stdin=words)
        assert ran.returncode == 1
        assert ran.stdout == b""
        assert "too big" in line_of(ran)
        assert 'your message "sum this up some words' in line_of(ran)
        assert len(prompts(at)[0]) == len(words) + len("sum this up\n\n")
        undone = at.run("-c", "-p", "/undo")
        assert undone.returncode == 0
        again = at.run("-c", "-p", "hello")
        assert (again.returncode, again.stdout) == (0, b"You said: hello\n")
        assert server.refusals == []


def test_ctrl_c_stops_the_answer_keeps_what_came_and_ends_with_130(tmp_path: Path) -> None:
    with served(Held(Gate(), say("half of an answer"), after=4)) as server:
        at = home(tmp_path, server.env)
        with at.start("-p", "hello", "--output-format", "stream-json") as running:
            assert running.stdout
            lines = iter(running.stdout.readline, b"")
            next(line for line in lines if b"text_delta" in line)
            running.send_signal(signal.SIGINT)
            rest = list(lines)
        assert running.returncode == 130
        outcome = json.loads(rest[-1])
        assert outcome["kind"] == "outcome"
        assert outcome["stop_reason"] == "interrupted"
        kept = [e.event for e in entries(at) if isinstance(e.event, Replied)]
        assert [event.stop for event in kept] == ["interrupted"]
        assert kept[0].blocks == (Text("half of an a"),)
        assert isclose(outcome["cost_usd"], server.dollars)
        assert server.dollars > 0


@pytest.mark.parametrize(("signalled", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_who_is_told_to_end_says_in_json_what_came(
    tmp_path: Path, signalled: signal.Signals, code: int
) -> None:
    with served(call("bash", command="trap '' INT TERM HUP; echo on > on; sleep 60")) as server:
        at = home(tmp_path, server.env)
        os.mkfifo(at.project / "on")
        with at.start("-p", "go", "--allow-all", "--output-format", "json") as running:
            assert running.stdout
            assert (at.project / "on").read_text() == "on\n"  # waits until the command runs
            running.send_signal(signalled)
            outcome = json.loads(running.stdout.read())
        assert running.returncode == code
        assert outcome["error"] == f"ended by {signalled.name}"
        assert isinstance(entries(at)[-1].event, Returned)


def test_a_second_ctrl_c_and_a_sigterm_end_it_at_once(tmp_path: Path) -> None:
    with served(call("bash", command="trap '' INT TERM; echo on; sleep 60")) as server:
        at = home(tmp_path, server.env)
        running = at.start("-p", "go", "--allow-all", "--output-format", "stream-json")
        with running:
            assert running.stdout
            lines = iter(running.stdout.readline, b"")
            next(line for line in lines if b"tool_output" in line)
            running.send_signal(signal.SIGTERM)
            list(lines)
        assert running.returncode == 143
        assert isinstance(entries(at)[-1].event, Returned)


def test_a_turn_may_have_only_so_many_requests(tmp_path: Path) -> None:
    again = [call("bash", command=f"echo {n}") for n in range(9)]
    with served(*again, say("done")) as server:
        at = home(tmp_path, server.env)
        ran = at.run("-p", "go", "--allow-all", "--max-turns", "2")
        assert ran.returncode == 1
        assert "The model was asked 2 times" in line_of(ran)
        assert len(server.requests) == 2
        at.configure("max_turns = 3")
        assert at.run("-c", "-p", "go on", "--allow-all").returncode == 1
        assert len(server.requests) == 5
        assert server.refusals == []


def test_a_call_that_fails_again_and_again_is_told_of_and_stopped(tmp_path: Path) -> None:
    with served(*[call("bash", command="exit 3")] * 9) as server:
        at = home(tmp_path, server.env)
        ran = at.run("-p", "go", "--allow-all")
        assert ran.returncode == 1
        assert "5 times in a row" in ran.stderr.decode()
        asked = [json.dumps(request["messages"]) for request in server.requests]
        assert ["it failed each time" in text for text in asked] == [False] * 3 + [True] * 2
        assert server.refusals == []


def test_a_session_that_is_open_elsewhere_is_left_alone(tmp_path: Path) -> None:
    gate = Gate()
    with served(say("hi"), Held(gate, say("slow"), after=4)) as server:
        at = home(tmp_path, server.env)
        at.run("-p", "hello")
        with at.start("-c", "-p", "go on", "--output-format", "stream-json") as running:
            assert running.stdout
            next(line for line in iter(running.stdout.readline, b"") if b"text_delta" in line)
            second = at.run("-c", "-p", "me too")
            running.send_signal(signal.SIGINT)
            running.stdout.read()
        assert second.returncode == 2
        assert "is open in another octochat" in line_of(second)
        assert prompts(at) == ["hello", "go on"]


def test_whoever_stops_reading_gets_no_traceback(tmp_path: Path) -> None:
    at = home(tmp_path)
    with at.start(
        "-p", "count to 5000", "--model", "offline", "--output-format", "stream-json"
    ) as r:
        assert r.stdout
        assert r.stderr
        r.stdout.readline()
        r.stdout.close()
        said = r.stderr.read()
    assert r.returncode == 1
    assert said == b""


def test_without_a_stdin_it_answers_all_the_same(tmp_path: Path) -> None:
    at = home(tmp_path)
    shell = f"exec {sys.executable} -m octochat -p hello --model offline <&-"
    ran = subprocess.run(
        ["/bin/sh", "-c", shell],
        env=at.environment,
        cwd=at.project,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"no language model" in ran.stdout
