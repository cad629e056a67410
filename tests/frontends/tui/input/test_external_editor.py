"""Writing in one's own editor."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from octochat.frontends.tui.input.external_editor import EditorError, edit_outside, editor_command
from octochat.frontends.tui.input.prompt import PromptInput
from tests.frontends.tui.widget_stage import Stage, prompt, ready, settle


class Leaving(Stage):
    """An app whose terminal can be left. As in Textual, an exception never takes it back."""

    away = False

    @contextmanager
    def suspend(self) -> Generator[None]:
        self.away = True
        yield
        self.away = False


def editor(folder: Path, script: str) -> str:
    path = folder / "my editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"'{path}' --wait"


def test_visual_goes_before_editor_and_vi_is_there_without_both() -> None:
    assert editor_command({"VISUAL": "code --wait", "EDITOR": "ed"}) == ["code", "--wait"]
    assert editor_command({"EDITOR": "ed"}) == ["ed"]
    assert editor_command({}) == ["vi"]
    with pytest.raises(EditorError, match="EDITOR"):
        editor_command({"EDITOR": "'open"})


async def test_ctrl_g_gives_the_draft_whole_and_takes_back_what_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, 'test "$1" = --wait && echo more >> "$2"'))
    one = prompt(tmp_path)
    app = Leaving(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"half", "ctrl+j", "ctrl+g")
        await settle(pilot)
        assert one.editor.text == "half\nmore"
        await pilot.press("ctrl+underscore")
        assert one.editor.text == "half\n"


@pytest.mark.parametrize(
    ("name", "says"), [("/no/such/editor", "set VISUAL"), ("false", "status 1; the draft is")]
)
async def test_an_editor_that_fails_leaves_the_draft_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    monkeypatch.setenv("VISUAL", name)
    one = prompt(tmp_path)
    app = Leaving(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"half", "ctrl+g")
        await settle(pilot)
        assert one.editor.text == "half"
        assert says in app.of(PromptInput.Trouble)[0].text
        assert not app.away, "the terminal is octochat's again"


async def test_where_the_terminal_cannot_be_left_it_is_said() -> None:
    app = Stage()
    async with app.run_test():
        with pytest.raises(EditorError, match="can't be opened"):
            await edit_outside(app, "x")
