import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from octochat.context.session.content import Image, Text, plain_text
from octochat.context.session.events import Prompted, Returned
from octochat.context.session.ran import commands_in, own_words
from octochat.frontends.plain.keyboard import files_like
from octochat.storage.log import Log
from tests.commands.test_attachments import PNG
from tests.frontends.plain.terminal import PlainTerminal

OFFLINE = ("--plain", "--model", "offline")
ID = re.compile(r"octochat -r (\S+)")


def log(home: Path, session: str = "") -> Log:
    """The session's log, which must be closed; the only one if none is named."""
    paths = list((home / "data" / "sessions").glob(f"{session}*.jsonl"))
    assert len(paths) == 1, paths
    return Log(paths[0], weigh=lambda event: 0, clock=lambda: 0.0)


def prompts(home: Path, session: str = "") -> list[str]:
    found = log(home, session)
    found.close()
    return [plain_text(e.event.blocks) for e in found.entries if isinstance(e.event, Prompted)]


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_a_tool_is_asked_for_run_and_told_without_a_control_character(
    tmp_path: Path, term: str
) -> None:
    with PlainTerminal(tmp_path, *OFFLINE, term=term) as chat:
        chat.until("you> ")
        chat.type("run /bin/echo walrus\n")
        asked = chat.until("answer> ")
        assert "bash wants to run:\n  /bin/echo walrus\n" in asked
        chat.type("\n")
        assert "number from 1 to 4" in chat.until("answer> "), "an empty line permits nothing"
        chat.type("1\n")
        told = chat.until("you> ")
        assert re.search(
            r"^bash /bin/echo walrus: 1 line.* \(#\d+\)\n  walrus$", told, re.MULTILINE
        )
        assert "octochat> Here is what came back" in told
        chat.type("\x04")
        assert chat.ended() == 0
        assert ID.search(chat.all)
        shown = chat.all.replace("^D\b\b", "")  # how the terminal itself echoes Ctrl-D
        assert [c for c in shown if c < " " and c != "\n"] == []


def test_always_takes_one_of_the_widths_and_holds_for_the_next_call(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.type("run /bin/echo one\n")
        chat.until("answer> ")
        chat.type("3\n")
        widths = chat.until("answer> ")
        assert "1  bash(/bin/echo one)\n2  bash(/bin/echo *)\n3  back\n" in widths
        chat.type("3\n")
        chat.until("answer> ")
        chat.type("3\n")
        chat.until("answer> ")
        chat.type("\n")
        assert "number from 1 to 3" in chat.until("answer> ")
        chat.type("2\n")
        chat.until("you> ")
        assert "bash /bin/echo two: " in chat.say("run /bin/echo two")
        chat.type("/quit\n")
        assert chat.ended() == 0
    assert (
        "bash(/bin/echo *)" in (tmp_path / "config" / "octochat" / "permissions.toml").read_text()
    )


def test_a_no_carries_its_reason_and_a_change_is_shown_whole(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.type("write a.txt: hello\n")
        assert "  +hello\n" in chat.until("answer> ")
        chat.type("4\n")
        chat.until("answer> ")
        chat.type("not today\n")
        told = chat.until("you> ")
        assert "write a.txt: you said no: not today (#4)" in told
    assert not (tmp_path / "work" / "a.txt").exists()


def test_what_was_typed_before_the_question_is_no_answer_but_the_next_prompt(
    tmp_path: Path,
) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.type("run touch proof\n1\n")
        chat.until("answer> ")
        chat.type("4 no\n")
        chat.until("you said no: no")
        chat.until("you> 1\n")
        chat.until("you> ")
    assert not (tmp_path / "work" / "proof").exists()


def test_ctrl_c_stops_the_answer_and_keeps_what_came(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.type("count to 9000\n")
        chat.until("without a key.")
        chat.type("\x03")
        assert "You stopped it; what came is kept" in chat.until("you> ")
        chat.type("\x04")
        assert chat.ended() == 0
    replies = log(tmp_path)
    assert "interrupted" in str(replies.entries[-1].event)
    replies.close()


def test_ctrl_c_twice_leaves_from_an_answer_and_from_the_prompt(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.type("\x03")
        chat.until("Ctrl-C again leaves")
        chat.until("you> ")
        chat.type("\x03")
        assert chat.ended() == 130
    with PlainTerminal(tmp_path, *OFFLINE, "--allow-all") as chat:
        chat.until("you> ")
        chat.type("run sleep 60; sleep 60\n")
        chat.until("bash sleep 60; sleep 60")
        chat.type("\x03")
        chat.until("Ctrl-C again leaves")
        chat.type("\x03")
        chat.until("octochat -r ")
        assert chat.ended() == 130


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_a_tool_ends_with_octochat(tmp_path: Path, by: signal.Signals) -> None:
    with PlainTerminal(tmp_path, *OFFLINE, "--allow-all") as chat:
        chat.until("you> ")
        shell = at_work(chat, tmp_path, "sleep 60")
        chat.signal(by)
        chat.until("octochat -r ")
        assert chat.ended() == 128 + by
    with pytest.raises(ProcessLookupError):
        os.kill(shell, 0)


@pytest.mark.parametrize("line", ["true", "sleep 60"], ids=["at the prompt", "in a turn"])
def test_when_the_terminal_is_gone_octochat_ends_in_order(tmp_path: Path, line: str) -> None:
    with PlainTerminal(tmp_path, *OFFLINE, "--allow-all") as chat:
        chat.until("you> ")
        shell = at_work(chat, tmp_path, line)
        if line == "true":
            chat.until("you> ")
        assert chat.hang_up() == 128 + signal.SIGHUP
    with pytest.raises(ProcessLookupError):
        os.kill(shell, 0)
    written = log(tmp_path)
    assert any(isinstance(entry.event, Returned) for entry in written.entries)
    written.close()


@pytest.mark.parametrize("term", ["dumb", "xterm"])
@pytest.mark.parametrize("said", ["", "run touch proof\n"], ids=["the prompt", "a question"])
def test_octochat_ends_where_it_waits_for_a_line(tmp_path: Path, said: str, term: str) -> None:
    with PlainTerminal(tmp_path, *OFFLINE, term=term) as chat:
        chat.until("you> ")
        chat.type(said)
        chat.until("answer> " if said else "")
        chat.signal(signal.SIGTERM)
        assert chat.ended() == 128 + signal.SIGTERM
    assert not (tmp_path / "work" / "proof").exists()


def at_work(chat: PlainTerminal, home: Path, line: str) -> int:
    """Have it run a line; the shell's number, once it does."""
    chat.type(f"run /bin/echo $$ > pid; {line}\n")
    chat.until(f"bash /bin/echo $$ > pid; {line}")
    number = home / "work" / "pid"
    chat.wait(lambda: number.exists() and number.read_text().endswith("\n"))
    return int(number.read_text())


def test_ctrl_c_at_a_question_is_a_no_and_ends_the_turn(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.type("run touch proof\n")
        chat.until("answer> ")
        chat.type("\x03")
        chat.until("you> ")
        chat.say("count to 2")
        chat.type("\x04")
        assert chat.ended() == 0
    assert not (tmp_path / "work" / "proof").exists()
    written = log(tmp_path)
    assert [e.event.failed for e in written.entries if isinstance(e.event, Returned)] == [True]
    written.close()


def test_prompts_of_several_lines(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.type("one\\\n")
        chat.until("...> ")
        chat.say("two")
        chat.type('"""\n')
        chat.until("...> ")
        chat.type("three\n")
        chat.until("...> ")
        chat.type("\n")
        chat.until("...> ")
        chat.say('four"""')
        chat.say('"""five"""')
        chat.type("\x04")
        assert chat.ended() == 0
    assert prompts(tmp_path) == ["one\ntwo", "three\n\nfour", "five"]


def test_help_names_all_commands_and_keys(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        told = chat.say("/help")
        assert all(word in told for word in ("/done", "/fork", "/resume", "/quit", "Ctrl-C"))
        assert "There is no command /nonsense" in chat.say("/nonsense")


def test_a_shell_line_of_your_own_has_the_terminal_and_is_not_sent(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        told = chat.say("!!test -t 0 && test -t 1 && echo a walrus; false")
        assert "a walrus\n(exit 1, 0.0 s, not sent to the model)\n" in told
        chat.type("!!read word; echo got $word\n")
        chat.type("this\n")
        assert "got this\n" in chat.until("(0.")
        chat.until("you> ")
        chat.type("!!echo begun; sleep 60\n")
        chat.until("begun\n")
        chat.type("\x03")
        chat.until("(ended by signal 2, ")
        chat.until("you> ")
        chat.say("count to 2")
        chat.type("/quit\n")
        assert chat.ended() == 0
    assert prompts(tmp_path) == ["count to 2"]


def test_what_a_shell_line_prints_goes_with_the_next_message(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        told = chat.say("!test -t 1 || echo a walrus")
        assert "a walrus\n(0." in told
        assert "goes with your next message; /detach takes it off)" in told
        chat.say("!echo a gull")
        assert "Taken off: ! echo a gull" in chat.say("/detach")
        chat.say("count to 2")
        assert "Nothing goes with your message." in chat.say("/detach")
        chat.type("/quit\n")
        assert chat.ended() == 0
    written = log(tmp_path)
    written.close()
    (said,) = [e.event for e in written.entries if isinstance(e.event, Prompted)]
    assert [(ran.command, ran.output) for ran in commands_in(said.blocks)] == [
        ("test -t 1 || echo a walrus", "a walrus")
    ]
    assert own_words(said.blocks) == "count to 2"


def test_what_goes_along_stays_until_the_log_has_the_prompt(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.say("count to 2")
        chat.say("!echo a walrus")
        (session,) = (tmp_path / "data" / "sessions").glob("*.jsonl")
        session.unlink()
        session.write_text("another file\n")
        assert "error: Something else is at" in chat.say("count to 3")
        session.unlink()
        chat.say("count to 3")
        chat.type("/quit\n")
        assert chat.ended() == 0
    written = log(tmp_path)
    written.close()
    said = [e.event.blocks for e in written.entries if isinstance(e.event, Prompted)]
    assert [ran.output for ran in commands_in(said[-1])] == ["a walrus"]


def test_a_picture_goes_along_and_one_that_is_too_big_is_said(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        (tmp_path / "work" / "shot.png").write_bytes(PNG)
        with (tmp_path / "work" / "huge.png").open("wb") as file:
            file.truncate(30_000_000)
        told = chat.say("compare @shot.png and @huge.png")
        assert "warning: " in told
        assert "The file was not sent." in told
        chat.type("/quit\n")
        assert chat.ended() == 0
    written = log(tmp_path)
    written.close()
    (said,) = [e.event for e in written.entries if isinstance(e.event, Prompted)]
    assert [type(block) for block in said.blocks] == [Image, Text]


def test_a_long_wait_ends_with_the_bell_and_a_short_one_does_not(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('model = "offline"\n[tui]\nnotify_after = "1s"\n')
    with PlainTerminal(tmp_path, "--plain", "--config", str(tmp_path / "mine.toml")) as chat:
        chat.until("you> ")
        assert "\a" not in chat.say("count to 2")
        chat.type("run /bin/sleep 1.2; echo one\n")
        chat.until("answer> ")
        chat.type("1\n")
        assert "\a" in chat.until("you> ")


def test_tab_completes_files_after_an_at(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a plan.md").touch()
    (tmp_path / ".hidden").touch()
    (tmp_path / "draft.md").touch()
    assert files_like("", tmp_path) == ["docs/", "draft.md"]
    assert files_like("d", tmp_path) == ["docs/", "draft.md"]
    assert files_like("docs/", tmp_path) == ["docs/a plan.md"]
    assert files_like(".h", tmp_path) == [".hidden"]
    assert files_like("none/", tmp_path) == ()


@pytest.mark.parametrize("given", [b"hello\n", b""])
def test_without_a_keyboard_it_says_what_to_do(tmp_path: Path, given: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "octochat", "--plain"],
        input=given,
        capture_output=True,
        check=False,
        env={"OCTOCHAT_DATA_DIR": str(tmp_path), "PATH": ""},
    )
    assert done.returncode == 2
    assert b"-p PROMPT" in done.stderr


def test_a_wrong_configuration_ends_it_in_words(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("modle = 3\n")
    with PlainTerminal(tmp_path, "--plain", "--config", str(wrong)) as chat:
        chat.until("modle")
        assert chat.ended() == 2


def test_the_configuration_leads_there(tmp_path: Path) -> None:
    named = tmp_path / "mine.toml"
    named.write_text('model = "offline"\n[tui]\nplain = true\n')
    with PlainTerminal(tmp_path, "--config", str(named), term="xterm") as chat:
        chat.until("Ctrl-D leaves.\n")
        chat.until("you> ")
    assert "\x1b" not in chat.all


def test_it_loads_neither_textual_nor_the_sdk() -> None:
    unwanted = "[m for m in ('textual', 'anthropic', 'rich') if m in sys.modules]"
    words = f"import sys, octochat.frontends.plain.start; print({unwanted})"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
