"""vim's modes over the input."""

from pathlib import Path

import pytest

from octochat.tui.prompt import Prompt
from tests.tui_stage import Stage, prompt, ready


@pytest.mark.parametrize(
    ("typed", "keys", "after"),
    [
        ("one two", "0dw", "two"),
        ("one two three", "02dw", "three"),
        ("one two three", "0d2w", "three"),
        ("one two", "bcwsix", "one six"),
        ("one two", "0x", "ne two"),
        ("one two", "0D", ""),
        ("one two", "0ywP", "one one two"),
        ("one two", "0dwu", "one two"),
        ("one two", "0dwA!", "two!"),
        ("one two", "0rO", "One two"),
        ("one two", "0de", " two"),
        ("a.b c", "0dw", ".b c"),
        ("one two", "d$", "one tw"),
        ("one two", "0ione ", "one one two"),
        ("one two", "dd", ""),
        ("one two", "ofrom", "one two\nfrom"),
        ("one two", "Ofrom", "from\none two"),
        ("one two", "yyp", "one two\none two"),
        ("one two", "zzx", "one tw"),
    ],
)
async def test_normal_mode(tmp_path: Path, typed: str, keys: str, after: str) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*typed, "escape", *keys)
        assert one.editor.text == after


async def test_lines_are_cut_and_put_whole(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press("a", "ctrl+j", "b", "ctrl+j", "c", "escape", *"ggddp")
        assert one.editor.text == "b\na\nc"
        await pilot.press(*"ggjdd")
        assert one.editor.text == "b\nc"
        await pilot.press(*"Gdd")
        assert one.editor.text == "b"


async def test_escape_leaves_insert_mode_first_and_then_interrupts(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    app = Stage(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press("a", "escape")
        await pilot.pause()
        assert not app.of(Prompt.Interrupt)
        await pilot.press("escape")
        await pilot.pause()
        assert len(app.of(Prompt.Interrupt)) == 1


async def test_enter_sends_from_normal_mode(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    app = Stage(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"hi", "escape", "enter")
        await pilot.pause()
        assert [message.text for message in app.of(Prompt.Submitted)] == ["hi"]


async def test_emacs_kills_and_yanks(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="emacs")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"one two", "ctrl+w", "ctrl+a", "ctrl+y")
        assert one.editor.text == "twoone "
        await pilot.press("ctrl+a", "alt+f", "ctrl+k", "ctrl+b", "ctrl+d")
        assert one.editor.text == "twoon"
