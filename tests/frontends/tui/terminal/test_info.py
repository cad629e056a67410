"""What is around octochat, and what the terminal is told."""

import base64
import os
import pty
import threading
from pathlib import Path

import pytest

from octochat.frontends.tui.terminal.background import ground_in, ground_of, terminal_answer
from octochat.frontends.tui.terminal.info import FAR, NEAR, TerminalInfo, surroundings
from octochat.frontends.tui.terminal.output import CallBack, Terminal, clipboard_commands
from octochat.frontends.tui.terminal.sequences import BELL, copying, notifying, titling


def test_the_environment_is_read() -> None:
    terminal = surroundings(
        {"TMUX": "/tmp/x,1,0", "SSH_CONNECTION": "a b", "TERM": "screen", "COLORFGBG": "0;15"},
        "linux",
    )
    assert (terminal.tmux, terminal.ssh, terminal.ground, terminal.pace) == (
        True,
        True,
        "light",
        FAR,
    )
    assert surroundings({"TERM_PROGRAM": "WezTerm"}, "darwin") == TerminalInfo(
        terminal="wezterm", macos=True
    )
    assert surroundings({}, "linux").pace is NEAR


@pytest.mark.parametrize(
    ("colours", "ground"),
    [("15;0", "dark"), ("0;15", "light"), ("0;default;7", "light"), ("12;8", "dark"), ("", None)],
)
def test_colorfgbg_tells_light_from_dark(colours: str, ground: str | None) -> None:
    assert surroundings({"COLORFGBG": colours}, "linux").ground == ground


def test_a_copy_is_osc_52_and_wrapped_for_tmux() -> None:
    coded = base64.b64encode("日本".encode()).decode()
    assert copying("日本", TerminalInfo()) == f"\x1b]52;c;{coded}\a"
    assert copying("日本", TerminalInfo(tmux=True)) == f"\x1bPtmux;\x1b\x1b]52;c;{coded}\a\x1b\\"
    assert copying("x" * 80_000, TerminalInfo()) == ""


def test_foreign_words_cannot_end_a_title_or_a_notification() -> None:
    assert titling("a\x1b]0;evil\x07b\nc") == "\x1b]2;ab c\a"
    assert notifying("t", "a;b\x07", TerminalInfo("foot")) == "\x1b]777;notify;t;a,b\a"


@pytest.mark.parametrize(
    ("terminal", "start"),
    [("wezterm", "\x1b]9;"), ("kitty", "\x1b]99;"), ("vte", "\x1b]777;"), ("xterm", "")],
)
def test_each_terminal_is_told_in_its_own_way(terminal: str, start: str) -> None:
    said = notifying("octochat", "done", TerminalInfo(terminal))
    assert said.startswith(start)
    assert bool(said) == bool(start)


def test_only_a_long_turn_that_nobody_watches_is_told() -> None:
    told: list[str] = []
    terminal = Terminal(TerminalInfo("wezterm"), told.append)
    terminal.turn_ended("done", seconds=5, focused=False)
    terminal.turn_ended("done", seconds=60, focused=True)
    assert told == []
    terminal.turn_ended("done", seconds=60, focused=False)
    assert told == ["\x1b]9;octochat: done\a\a"]


@pytest.mark.parametrize(
    ("calling", "said"),
    [
        (CallBack(bell=False), ["\x1b]9;octochat: a question\a"]),
        (CallBack(notify=False), [BELL]),
        (CallBack(bell=False, notify=False), [""]),
    ],
)
def test_bell_and_notification_are_each_a_choice(calling: CallBack, said: list[str]) -> None:
    told: list[str] = []
    terminal = Terminal(TerminalInfo("wezterm"), told.append)
    terminal.calling = calling
    terminal.call("a question", focused=False)
    assert told == said


def test_the_title_before_comes_back() -> None:
    told: list[str] = []
    terminal = Terminal(TerminalInfo(), told.append)
    terminal.untitle()
    terminal.title("one")
    terminal.title("two")
    terminal.untitle()
    assert told == ["\x1b[22;2t", "\x1b]2;one\a", "\x1b]2;two\a", "\x1b[23;2t"]


def test_over_ssh_no_clipboard_of_the_other_machine_is_filled() -> None:
    assert clipboard_commands(TerminalInfo(ssh=True, x11=True, wayland=True)) == []
    assert [c[0] for c in clipboard_commands(TerminalInfo(x11=True, wayland=True))] == [
        "wl-copy",
        "xclip",
        "xsel",
    ]
    assert [c[0] for c in clipboard_commands(TerminalInfo(ssh=True, tmux=True))] == ["tmux"]


def tool(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


async def test_the_first_tool_that_works_gets_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool(tmp_path, "wl-copy", "exit 1")
    tool(tmp_path, "xclip", f"cat > {tmp_path}/copied; echo ignored")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    told: list[str] = []
    ways = await Terminal(TerminalInfo(wayland=True, x11=True), told.append).copy("text [x]")
    assert ways == "the terminal and xclip"
    assert (tmp_path / "copied").read_text() == "text [x]"
    assert len(told) == 1


async def test_a_copy_that_nobody_takes_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert await Terminal(TerminalInfo(x11=True), lambda _: None).copy("x" * 80_000) == ""


@pytest.mark.parametrize(
    ("answer", "ground"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c", "light"),
        (b"\x1b]11;rgb:1e/1e/2e\x07", "dark"),
        (b"\x1b]11;rgba:0000/0000/0000/ffff\x07", "dark"),
        (b"\x1b[?62;c", None),
        (b"", None),
    ],
)
def test_the_answer_about_the_background_is_understood(answer: bytes, ground: str | None) -> None:
    assert ground_in(answer) == ground


def test_over_ssh_or_where_the_environment_says_it_nothing_is_asked() -> None:
    def never() -> bytes:
        raise AssertionError("asked")

    assert ground_of(TerminalInfo(ssh=True, ground="light"), never) == ("light", b"")
    assert ground_of(TerminalInfo(ground="light"), never) == ("light", b"")
    heard = b"h\x1b]11;rgb:0/0/0\x07i"
    assert ground_of(TerminalInfo(), lambda: heard) == ("dark", heard)


def test_a_terminal_is_asked_and_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()

    def reply() -> None:
        heard = b""
        while not heard.endswith(b"\x1b[c"):
            heard += os.read(ours, 64)
        os.write(ours, b"\x1b]11;rgb:fafa/fafa/fafa\x1b\\\x1b[?1;2c")

    terminal = threading.Thread(target=reply)
    terminal.start()
    with os.fdopen(theirs, "r+b", buffering=0) as line:
        monkeypatch.setattr("sys.stdin", line)
        monkeypatch.setattr("sys.stdout", line)
        assert ground_in(terminal_answer()) == "light"
    terminal.join()
    os.close(ours)
