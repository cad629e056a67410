"""Sessions in the plain mode: gone on with, chosen from the list, forked, begun anew."""

import subprocess
import sys
from pathlib import Path

from tests.frontends.plain.terminal import PlainTerminal
from tests.frontends.plain.test_start import ID, OFFLINE, prompts


def test_a_session_that_is_gone_on_with_tells_its_last_turns(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        for number in range(2, 7):
            chat.say(f"count to {number}")
        chat.type("\x04")
        assert chat.ended() == 0
        session = ID.findall(chat.all)[-1]
    for arguments in (("-c",), ("-r", session)):
        with PlainTerminal(tmp_path, "--plain", *arguments) as chat:
            told = chat.until("(context ")
            assert "(2 earlier turns; /export writes them all)" in told
            assert "you> count to 4\noctochat> 1 2 3 4\n" in told
            assert "you> count to 6\noctochat> 1 2 3 4 5 6\n" in told
            assert "count to 3" not in told
            chat.until("you> ")
            chat.type("\x04")
            assert chat.ended() == 0
    with PlainTerminal(tmp_path, "--plain", "-r", "nonsense") as chat:
        chat.until("There is no session nonsense")
        assert chat.ended() == 2


def test_the_list_of_sessions_is_chosen_from_and_printed_into_a_pipe(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.say("count to 2")
        chat.say("/rename The count")
        chat.type("\x04")
        assert chat.ended() == 0
        session = ID.findall(chat.all)[-1]
    with PlainTerminal(tmp_path, "--plain", "-r") as chat:
        assert f"{session}  just now" in chat.until("answer> ")
        chat.type(session[:12] + "\n")
        chat.until("you> count to 2")
        chat.until("you> ")
    listed = subprocess.run(
        [sys.executable, "-m", "octochat", "-r"],
        env={"OCTOCHAT_DATA_DIR": str(tmp_path / "data"), "PATH": ""},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert session in listed.stdout
    assert "The count" in listed.stdout


def test_fork_clear_and_resume_go_on_in_another_session(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE) as chat:
        chat.until("you> ")
        chat.say("count to 2")
        chat.say("count to 3")
        chat.type("/fork 4\n")
        forked = chat.until("Your prompt was: count to 3\n")
        first = ID.findall(forked)[-1]
        assert "This session was forked from" in forked
        chat.until("you> ")
        chat.say("count to 4")
        cleared = chat.say("/clear")
        second = ID.findall(cleared)[-1]
        chat.say("count to 5")
        assert "error: There is no session nowhere" in chat.say("/resume nowhere")
        assert first in chat.say("/resume")
        chat.type(f"/resume {first}\n")
        chat.until("you> count to 3\n")
        chat.until("(context ")
        chat.until("you> ")
        chat.type("/quit\n")
        assert chat.ended() == 0
    assert prompts(tmp_path, first) == ["count to 2", "count to 3"]
    assert prompts(tmp_path, second) == ["count to 2", "count to 4"]


def test_a_model_that_was_chosen_stays_in_forks_and_new_sessions(tmp_path: Path) -> None:
    with PlainTerminal(tmp_path, *OFFLINE, key="none") as chat:
        chat.until("you> ")
        chat.say("count to 2")
        assert "Model is now claude-opus-5-5" in chat.say("/model claude-opus-5-5")
        chat.type("/fork\n")
        chat.until(", claude-opus-5-5 in ")
        chat.until("(context ")
        chat.until("you> ")
        chat.type("/clear\n")
        chat.until(", claude-opus-5-5 in ")
        chat.until("you> ")
        chat.type("\x04")
        assert chat.ended() == 0
