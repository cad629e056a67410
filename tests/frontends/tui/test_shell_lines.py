"""`!` lines on the screen: a card each, keys that stop them, and nothing that they can draw."""

from pathlib import Path

import pytest

from octochat.frontends.tui.input.prompt import PromptInput
from tests.frontends.tui.stage import Stage, built, on_stage
from tests.offline_session import at_home


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_a_key_stops_it_and_the_card_says_so(tmp_path: Path, key: str) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("!touch there; sleep 60")
        there = Path.cwd() / "there"
        await stage.until(there.exists)
        await stage.until(lambda: "Esc stops" in stage.text())
        await stage.pilot.press(key)
        await stage.until(lambda: "✗ ! touch there" in stage.text())
        assert "stopped · " in stage.text()
        await stage.until(lambda: not stage.app.prompt.beside)


async def test_it_does_not_wait_for_the_model(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("count to 3000")
        await stage.until(lambda: stage.app.prompt.busy)
        await stage.types("!echo beside it")
        await stage.until(lambda: "✓ ! echo beside it" in stage.text())
        assert stage.app.prompt.busy
        await stage.pilot.press("escape")
        await stage.rest()


async def test_what_is_typed_before_the_session_is_open_waits_for_it(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data")
        async with app.run_test(size=(100, 40)) as pilot:
            app.post_message(PromptInput.Submitted("!echo early"))
            stage = Stage(app, pilot, work)
            await stage.until(lambda: app.session is not None)
            await stage.until(lambda: "✓ ! echo early" in stage.text())


async def test_what_a_program_draws_is_shown_as_text(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types(r"!printf '\033[2J\033[31mred\033[0m\a\n'")
        await stage.until(lambda: "✓ ! printf" in stage.text())
        assert "\x1b" not in stage.text()
        assert "  red" in stage.text()


async def test_a_shell_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/no/such/shell")
    async with on_stage(tmp_path) as stage:
        await stage.types("!ls")
        await stage.until(lambda: "the shell can't be run" in stage.text())
