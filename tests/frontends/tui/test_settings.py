"""The `[tui]` table is carried out, and the end of the transcript stays in the terminal."""

from pathlib import Path

import pytest
from textual.command import CommandPalette

from octochat.config.tui_settings import TuiSettings
from octochat.frontends.tui.settings import apply_settings, pace_of
from octochat.frontends.tui.terminal.info import FAR, NEAR, Pace, TerminalInfo
from octochat.frontends.tui.terminal.output import CallBack, Terminal
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.frontends.tui.transcript.find_bar import FindBar
from octochat.frontends.tui.transcript.model import TranscriptModel
from octochat.frontends.tui.transcript.scrollback import LINES, scrollback_text
from tests.frontends.tui.stage import on_stage
from tests.frontends.tui.told import NOON, session


@pytest.mark.parametrize(
    ("said", "terminal", "pace"),
    [
        (TuiSettings(low_bandwidth="on"), TerminalInfo(), FAR),
        (TuiSettings(low_bandwidth="off"), TerminalInfo(ssh=True), NEAR),
        (TuiSettings(), TerminalInfo(ssh=True), FAR),
        (TuiSettings(), TerminalInfo(), NEAR),
    ],
)
def test_low_bandwidth_is_a_choice_and_comes_by_itself_over_ssh(
    said: TuiSettings, terminal: TerminalInfo, pace: Pace
) -> None:
    assert pace_of(said, terminal) is pace


async def test_the_table_is_carried_out_on_the_app(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        said = TuiSettings(
            "nord", "vim", low_bandwidth="on", bell=False, notify=False, notify_after="5s"
        )
        apply_settings(stage.app, stage.chat.view, said)
        assert stage.app.theme == "nord"
        assert stage.app.terminal.calling == CallBack(bell=False, notify=False, after=5.0)
        assert stage.app.animation_level == "none"
        await stage.types("one two", send=False)
        await stage.pilot.press("escape", "0", "x")
        assert stage.app.prompt.editor.text == "ne two"
        await stage.pilot.press("escape", "i")
        stage.app.prompt.editor.clear()
        await stage.says("read README.md")
        assert "Sells [things]." in stage.text()


async def test_emacs_keys_of_the_input_are_not_those_of_the_app(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        assert "alt+x" not in stage.app.terminal.bound
        apply_settings(stage.app, stage.chat.view, TuiSettings(keys="emacs"))
        assert all(key in stage.app.terminal.bound for key in ("alt+x", "alt+t", "alt+f"))
        await stage.types("one two", send=False)
        await stage.pilot.press("ctrl+p", "ctrl+a", "ctrl+f", "x")
        assert stage.app.prompt.editor.text == "oxne two"
        await stage.pilot.press("ctrl+s")
        assert stage.app.query_one(FindBar).has_class("-open")
        await stage.pilot.press("escape", "alt+x")
        await stage.until(lambda: isinstance(stage.app.screen, CommandPalette))
        await stage.pilot.press("escape")
        await stage.until(lambda: not isinstance(stage.app.screen, CommandPalette))
        await stage.pilot.press("f1", *"interface")
        await stage.pilot.pause()
        assert "Alt+X" in stage.screen()


async def test_a_question_calls_a_person_who_looks_elsewhere(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        called: list[str] = []
        stage.app.terminal = Terminal(TerminalInfo("wezterm"), called.append)
        stage.app.app_focus = False
        stage.app.submit("run /bin/echo hello")
        await stage.until(lambda: called)
        assert called == ["\x1b]9;octochat: A question waits for your answer.\a\a"]


async def test_the_transcript_stays_in_the_terminal(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        await stage.pilot.press("ctrl+q")
        await stage.until(lambda: stage.app.return_value is not None)
    left = stage.chat.scrollback_text(80)
    assert left.startswith("▌ read README.md")
    assert "Sells [things]." in left
    assert "What to try" not in left


def test_no_more_than_the_last_lines_stay() -> None:
    model = TranscriptModel(lambda: NOON)
    for entry in session(60):
        model.show(entry)
    lines = scrollback_text(model.cards, Page(80, NOON)).splitlines()
    assert len(lines) == LINES
    assert not any(line.endswith(("▸", " ")) for line in lines)


async def test_a_theme_that_there_is_not_is_said(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        before = stage.app.theme
        apply_settings(stage.app, stage.chat.view, TuiSettings("solarised"))
        await stage.until(lambda: "There is no theme solarised" in stage.text())
        assert stage.app.theme == before
