"""The keys of emacs over the input."""

from pathlib import Path

import pytest

from octochat.frontends.shared.drafts import Draft, DraftFile
from tests.frontends.tui.widget_stage import Stage, prompt, ready
from tests.waiting import until


async def test_emacs_kills_and_yanks(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="emacs")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"one two", "ctrl+w", "ctrl+a", "ctrl+y")
        assert one.editor.text == "twoone "
        await pilot.press("ctrl+a", "alt+f", "ctrl+k", "ctrl+b", "ctrl+d")
        assert one.editor.text == "twoon"


@pytest.mark.parametrize(
    ("text", "keys", "after"),
    [
        ("one two three", "ctrl+w ctrl+w ctrl+y", "one two three"),
        ("one two three", "ctrl+w left ctrl+w ctrl+y", "one two "),
        ("one two three", "ctrl+w left ctrl+w ctrl+y alt+y", "one three "),
        ("one two three", "ctrl+w left ctrl+w ctrl+y alt+y alt+y", "one two "),
        ("one two", "ctrl+w ctrl+y x alt+y", "one twox"),
        ("one two", "ctrl+a alt+d alt+d ctrl+y", "one two"),
        ("one.two", "alt+backspace", "one."),
        ("one.two three", "alt+b alt+b alt+d", "one. three"),
        ("say one.two", "ctrl+w", "say "),
        ("one two", "ctrl+a ctrl+k ctrl+_ ctrl+e x", "one twox"),
        ("one two", "ctrl+u ctrl+y ctrl+y", "one twoone two"),
        ("one\ntwo", "left ctrl+u", "one\no"),
        ("one\ntwo", "left ctrl+u ctrl+u", "one\n"),
        ("one\ntwo", "left ctrl+u ctrl+u ctrl+u", "one"),
        ("one\ntwo", "up home ctrl+u", "two"),
        ("one\ntwo", "ctrl+u ctrl+u ctrl+u ctrl+y", "one\ntwo"),
        ("one", "ctrl+t", "oen"),
        ("one", "ctrl+a right ctrl+t", "noe"),
        ("one two", "alt+t", "two one"),
        ("one, two three", "ctrl+a alt+f alt+t", "two, one three"),
        ("one two", "ctrl+a alt+u alt+c", "ONE Two"),
        ("ONE", "ctrl+a alt+l", "one"),
        ("one two", "ctrl+@ alt+b ctrl+w", "one "),
        ("one two", "ctrl+@ alt+b alt+w ctrl+y", "one twotwo"),
        ("one two", "ctrl+@ ctrl+@ ctrl+b ctrl+b x", "one tx"),
        ("one two", "alt+less_than_sign x alt+greater_than_sign y", "xone twoy"),
    ],
)
async def test_emacs_keys(tmp_path: Path, text: str, keys: str, after: str) -> None:
    one = prompt(tmp_path, keymap="emacs")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        one.editor.show(Draft(text))
        await pilot.press(*keys.replace("ctrl+_", "ctrl+underscore").split())
        assert one.editor.text == after


async def test_ctrl_p_goes_through_the_history_as_up_does(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="emacs")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"old", "enter", *"new", "ctrl+p")
        assert one.editor.text == "old"
        await pilot.press("ctrl+n")
        assert one.editor.text == "new"


async def test_undo_is_kept_like_any_other_change(tmp_path: Path) -> None:
    one = prompt(tmp_path)
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"a", "ctrl+k", *"b")
        file = DraftFile(tmp_path / "drafts" / "s1.json")
        await until(pilot, lambda: file.load().draft.text == "ab")
        await pilot.press("ctrl+underscore")
        await until(pilot, lambda: file.load().draft.text == one.editor.text == "")
