"""What the input looks like where there is little room. Each picture was looked at."""

from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from octochat.frontends.tui.input.prompt import PromptInput
from tests.frontends.tui.widget_stage import THEMES, Snap, Stage, prompt, settle


@pytest.mark.parametrize("theme", THEMES)
def test_the_empty_input(snap_compare: Snap, tmp_path: Path, theme: str) -> None:
    one = prompt(tmp_path)

    async def before(pilot: Pilot[None]) -> None:
        one.editor.focus()
        await settle(pilot)

    assert snap_compare(Stage(one, theme=theme), terminal_size=(60, 15), run_before=before)


@pytest.mark.parametrize("theme", THEMES)
def test_commands_are_offered(snap_compare: Snap, tmp_path: Path, theme: str) -> None:
    one = prompt(tmp_path)

    async def before(pilot: Pilot[None]) -> None:
        one.editor.focus()
        await pilot.press("/", "down")

    assert snap_compare(Stage(one, theme=theme), terminal_size=(60, 15), run_before=before)


@pytest.mark.parametrize("theme", THEMES)
def test_wide_letters_brackets_a_chip_and_a_queue(
    snap_compare: Snap, tmp_path: Path, theme: str
) -> None:
    one = prompt(tmp_path)

    async def before(pilot: Pilot[None]) -> None:
        one.editor.focus()
        one.busy = True
        for text in ("[bold]not markup[/bold] \\[x]", "日本語のテキスト 🎉 " * 8, "c", "d"):
            one.editor.put(text)
            await pilot.press("enter")
        one.editor.put("見て 👩‍👩‍👧 [/red] " + "long " * 30)
        one.editor.post_message(events.Paste("x\n" * 120))
        await pilot.pause()

    assert snap_compare(Stage(one, theme=theme), terminal_size=(60, 15), run_before=before)


def test_a_shell_line(snap_compare: Snap, tmp_path: Path) -> None:
    one = prompt(tmp_path)

    async def before(pilot: Pilot[None]) -> None:
        one.editor.focus()
        await pilot.press("!", *"git status")

    assert snap_compare(Stage(one), terminal_size=(60, 15), run_before=before)


@pytest.mark.parametrize("theme", THEMES)
def test_searching_what_was_sent(snap_compare: Snap, tmp_path: Path, theme: str) -> None:
    one = prompt(tmp_path)

    async def before(pilot: Pilot[None]) -> None:
        one.editor.focus()
        for text in ("fix the parser", "run the tests [all]", "日本語で説明して"):
            one.editor.put(text)
            await pilot.press("enter")
        await pilot.press("ctrl+r", *"th")
        await pilot.pause()

    assert snap_compare(Stage(one, theme=theme), terminal_size=(60, 15), run_before=before)


def test_vim_says_its_mode(snap_compare: Snap, tmp_path: Path) -> None:
    one: PromptInput = prompt(tmp_path, keymap="vim")

    async def before(pilot: Pilot[None]) -> None:
        one.editor.focus()
        await pilot.press(*"one two", "escape", "2", "d")

    assert snap_compare(Stage(one), terminal_size=(60, 15), run_before=before)
