"""The real program in a pseudo-terminal, driven through a day of work by a script."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.benchmarks.terminal import Terminal
from tests.benchmarks.tui import running
from tests.e2e.home import Home, home

LOW = """
[compression]
require_benefit = false
note_max_tokens = 600

[[compression.pressure_levels]]
threshold = 9000
target_ratio = 2.0
"""
"""A compression comes after a few files were read."""
ESCAPE, ENTER, CTRL_UP, CTRL_END = "\x1b", "\r", "\x1b[1;5A", "\x1b[1;5F"
READY = "❯ Ask anything"


SURROUNDINGS = {
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "ANTHROPIC_API_KEY": "",
    **dict.fromkeys(("COLORFGBG", "SSH_CONNECTION", "SSH_TTY", "TMUX"), ""),
}
A_LOOK = 0.1
"""Seconds between two looks at the disk."""
ASKED = "\x1b[c"
"""The end of what the program asks the terminal."""
ANSWER = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62;22c"


def screen(at: Home, *arguments: str, answers: bool = True, to: str = "") -> Terminal:
    """The real program before a person; `to` says as a shell does where its output goes."""
    command = [sys.executable, "-m", "octochat", *arguments]
    if to:
        command = ["sh", "-c", f'exec "$@" {to}', "sh", *command]
    return Terminal(command, at.environment | SURROUNDINGS, at.project, answers=answers)


def typed(person: Terminal, end: str) -> str:
    """What stands in the input, from the mark to the text that it ends with."""
    line = next(line for line in person.sees(end) if "❯" in line)
    return line.partition("❯ ")[2].rstrip(" │")


def test_an_answer_of_the_terminal_that_comes_late_is_not_typed(tmp_path: Path) -> None:
    at = home(tmp_path)
    with running(screen(at, "--model", "offline", answers=False)) as person:
        person.sees("offline in", READY)
        person.press(ANSWER)
        person.press("hello")
        assert typed(person, "hello") == "hello"


def test_what_is_typed_before_the_screen_stands_is_in_the_input(tmp_path: Path) -> None:
    with running(screen(home(tmp_path), "--model", "offline", answers=False)) as person:
        person.until(ASKED)
        person.press(f"hel{ANSWER}lo")
        assert typed(person, "lo") == "hello"


@pytest.mark.parametrize("early", [True, False])
def test_lines_pasted_before_the_screen_stands_are_one_draft(tmp_path: Path, early: bool) -> None:
    with running(screen(home(tmp_path), "--model", "offline", answers=False)) as person:
        if not early:
            person.until(ASKED)
        person.paste("first line\rsecond line\rthird")
        person.sees("❯ first line", "offline in")
        person.press(" and more")
        person.sees("❯ first line", "  second line", "  third and more")


def test_a_line_that_is_sent_before_anything_is_there_is_answered(tmp_path: Path) -> None:
    with running(screen(home(tmp_path), "--model", "offline", answers=False)) as person:
        person.press("count to 3" + ENTER)
        person.sees("▌ count to 3", "1 2 3", READY)


def test_the_screen_is_drawn_where_stderr_is_kept_in_a_file(tmp_path: Path) -> None:
    at, log = home(tmp_path), tmp_path / "log"
    with running(screen(at, "--model", "offline", to=f"2>{shlex.quote(str(log))}")) as person:
        person.sees("offline in", READY)
        person.press("read README.md" + ENTER)
        person.sees("# The project", "1 call", READY)
    assert not log.read_text("utf-8")


def test_where_stdout_is_no_terminal_it_says_what_prints_one_answer(tmp_path: Path) -> None:
    with running(screen(home(tmp_path), to="| cat")) as person:
        person.sees("octochat: the chat needs a terminal", "use -p PROMPT")


def click(person: Terminal, words: str) -> None:
    """Click on the last place where the words stand."""
    lines = person.sees(words)
    row = max(n for n, line in enumerate(lines) if words in line)
    place = f"{lines[row].rindex(words) + 2};{row + 1}"
    person.press(f"\x1b[<0;{place}M\x1b[<0;{place}m")


def test_first_start_a_chat_with_tools_an_approval_and_a_refusal(tmp_path: Path) -> None:
    at = home(tmp_path)
    with running(screen(at)) as person:
        person.sees("No API key is set", "ANTHROPIC_API_KEY", "read README.md", READY)
        person.press("read README.md" + ENTER)
        person.sees("# The project", "1 call", READY)
        person.press("run touch made" + ENTER)
        person.sees(
            "bash wants to run", "$ touch made", "Yes, always", "remembered for this folder"
        )
        assert not (at.project / "made").exists()
        person.sees("Enter answers")  # what is typed at once is meant for the input
        person.press("y")
        person.sees("; no output]", READY)
        assert (at.project / "made").exists()
        person.press("write other.txt: words" + ENTER)
        person.sees("write wants to create other.txt", "1 + words", "and say why")
        person.sees("Enter answers")
        person.press(ESCAPE)
        person.sees("you said no", READY)
        assert not (at.project / "other.txt").exists()


def test_a_draft_of_an_octochat_that_was_killed_is_offered_and_not_put_in(tmp_path: Path) -> None:
    at = home(tmp_path)
    with running(screen(at, "--model", "offline")) as person, running(screen(at)) as other:
        for each in (person, other):
            each.sees(READY)
        person.press("fix the parser")
        person.sees("❯ fix the parser")
        while not any("parser" in f.read_text() for f in (at.data / "drafts").glob("*.json")):
            person.rest(A_LOOK)
        other.press("\x1b[A")
        other.sees(READY)
    with running(screen(at, "--model", "offline")) as person:
        person.sees("❯ ↑ brings back what was not sent: fix the parser")
        person.press("\x1b[A")
        person.sees("❯ fix the parser")


def test_ctrl_z_goes_to_the_shell_and_all_is_as_it_was_after_fg(tmp_path: Path) -> None:
    at = home(tmp_path)
    around = at.environment | SURROUNDINGS | {"PS1": "shell> "}
    with running(Terminal(["bash", "--norc", "-i"], around, at.project)) as person:
        person.sees("shell>")
        person.press(f"{sys.executable} -m octochat --model offline{ENTER}")
        person.sees("offline in", READY)
        person.press("half a")
        person.sees("half a")
        person.press("\x1a")
        person.sees("Stopped")
        person.wipe()
        person.press(f"fg{ENTER}")
        person.sees("offline in", "❯ half a", "offline  ask")
        person.press(" word")
        assert typed(person, "word") == "half a word"


def test_ctrl_z_without_a_shell_says_so_and_octochat_goes_on(tmp_path: Path) -> None:
    with running(screen(home(tmp_path), "--model", "offline")) as person:
        person.sees("offline in", READY)
        person.press("half\x1a")
        person.sees("Ctrl+Z goes back to a shell")
        person.press(" a word")
        assert typed(person, "word") == "half a word"


def test_an_interruption_and_a_queue(tmp_path: Path) -> None:
    with running(screen(home(tmp_path), "--model", "offline")) as person:
        person.sees("offline in", READY)
        person.press("count to 20000" + ENTER)
        person.sees("7 8 9 10", "what you send waits")
        person.press("read README.md" + ENTER)
        person.sees("Waiting until the answer is done", "↳ read README.md")
        person.press(ESCAPE)
        person.sees("You stopped it", "❯ read README.md")
        person.press(ENTER)
        person.sees("# The project", READY)


def test_a_compression_is_opened_and_restored_and_the_session_is_left_and_resumed(
    tmp_path: Path,
) -> None:
    at = home(tmp_path, config=LOW)
    with running(screen(at, "--model", "offline")) as person:
        person.sees("offline in", READY)
        for _ in range(3):  # the later ones wait in the queue
            person.press("read notes.txt" + ENTER)
        person.sees("◆ Compressed", limit=60)
        person.sees(READY)
        person.press("/done" + ENTER)
        person.sees("✓ Task done: the next request starts afresh", READY)
        person.press(CTRL_UP)
        person.sees("▎ ◆ Compressed", "Enter opens")
        person.press(ENTER)
        person.sees("why        the task is done", "The note that took its place", "What was asked")
        click(person, "Restore what it took")
        person.sees("restored  ▾")
        person.press(ESCAPE)
        person.loses("Enter opens")
        person.press(CTRL_END)
        person.sees("↶ Restored what compression #")
        person.press("/info" + ENTER)
        person.sees("Compression Statistics:", "Total compressions: 1", "Level 1: 9,000 tokens")
        person.press("/context" + ENTER)
        person.sees("─ Context · ", "◆ compressed", "✓ task done", "↶ restored", "Esc closes")
        person.press(ESCAPE)
        person.loses("Esc closes")
        person.press("/quit" + ENTER)
        person.sees("To go on with this session: octochat -r")
    (session,) = at.sessions
    with running(screen(at, "-r", session.stem)) as person:
        person.sees("✓ Task done", "restored  ▸", "↶ Restored", READY, " %")
        person.press("read README.md" + ENTER)
        person.sees("# The project", "1 call", READY)
    assert at.sessions == [session]
