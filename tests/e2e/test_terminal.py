"""Issue 4: the real program in a pseudo-terminal, driven by a script."""

import sys
from pathlib import Path

from octochat.tui.approve import QUIET
from tests.benchmarks.terminal import Terminal
from tests.benchmarks.tui import running
from tests.e2e.home import Home, home

ESCAPE, ENTER = "\x1b", "\r"
READY = "❯ Ask anything"


def screen(at: Home, *arguments: str) -> Terminal:
    """The real program before a person."""
    surroundings = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "ANTHROPIC_API_KEY": ""}
    command = [sys.executable, "-m", "octochat", *arguments]
    return Terminal(command, at.environment | surroundings, at.project)


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
        person.rest(3 * QUIET)  # what is typed at once was meant for the input
        person.press("y")
        person.sees("[no output]", READY)
        assert (at.project / "made").exists()
        person.press("write other.txt: words" + ENTER)
        person.sees("write wants to change other.txt", "+words", "and say why")
        person.rest(3 * QUIET)
        person.press(ESCAPE)
        person.sees("That did not work", "the person did not allow it", READY)
        assert not (at.project / "other.txt").exists()


def test_an_interruption_and_a_queue(tmp_path: Path) -> None:
    with running(screen(home(tmp_path), "--model", "offline")) as person:
        person.sees("offline in", READY)
        person.press("count to 20000" + ENTER)
        person.sees("7 8 9 10", "what you send waits its turn")
        person.press("read README.md" + ENTER)
        person.sees("Waiting until the answer is done", "↳ read README.md")
        person.press(ESCAPE)
        person.sees("Interrupted", "❯ read README.md")
        person.press(ENTER)
        person.sees("# The project", READY)
