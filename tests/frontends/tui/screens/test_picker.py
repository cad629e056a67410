"""Choosing what follows a command from a list."""

from pathlib import Path

import pytest
from textual.widgets import OptionList

from octochat.commands.choices import TITLES, picks_of
from octochat.context.session.events import ModelChanged, SkillForgotten, SkillLoaded
from octochat.frontends.tui.screens.picker import PickerScreen
from tests.frontends.tui.stage import Stage, on_stage
from tests.waiting import until


async def picking(stage: Stage, command: str) -> PickerScreen:
    """Open the list of a command."""
    await stage.types(command)
    await stage.until(lambda: isinstance(stage.app.screen, PickerScreen))
    screen = stage.app.screen
    assert isinstance(screen, PickerScreen)
    return screen


async def test_letters_narrow_the_models_and_enter_takes_one(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await picking(stage, "/model")
        await stage.pilot.press(*"haiku-4", "enter")
        await stage.until(lambda: stage.session.engine.state.model == "claude-haiku-4-5")
        assert isinstance(stage.session.engine.log.entries[-1].event, ModelChanged)


async def test_escape_changes_nothing(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await picking(stage, "/profile")
        await stage.pilot.press("down", "escape")
        await stage.until(lambda: not isinstance(stage.app.screen, PickerScreen))
        assert stage.session.config.profile == "balanced"


async def test_a_theme_is_seen_before_it_is_taken_and_escape_goes_back(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await picking(stage, "/theme")
        before = stage.app.theme
        await stage.pilot.press(*"nord")
        await stage.until(lambda: stage.app.theme == "nord")
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.theme == before)
        await picking(stage, "/theme")
        await stage.pilot.press(*"nord", "enter")
        await stage.until(lambda: not isinstance(stage.app.screen, PickerScreen))
        assert stage.app.theme == "nord"


async def test_a_skill_is_used_and_chosen_again_forgotten(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        log = stage.session.engine.log
        for event in (SkillLoaded, SkillForgotten):
            await picking(stage, "/skill")
            await stage.pilot.press(*"debugging", "enter")
            await stage.until(lambda event=event: isinstance(log.entries[-1].event, event))


async def test_a_list_opens_while_the_model_works_and_what_is_chosen_waits(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        stage.hold()
        await stage.types("begin")
        await stage.until(lambda: stage.app.prompt.busy)
        await picking(stage, "/model")
        await stage.pilot.press(*"haiku-4", "enter")
        await stage.until(lambda: "/model claude-haiku-4-5" in stage.screen())
        assert stage.session.engine.state.model == "offline"
        await stage.pilot.press("escape")


async def test_what_nothing_fits_is_said(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await picking(stage, "/mode")
        await stage.pilot.press(*"[/xyz]", "enter")
        await until(stage.pilot, lambda: "Nothing has “[/xyz]”." in stage.screen())
        assert "“[/xyz]” · Backspace widens · Esc goes back" in stage.screen()


async def test_a_row_is_marked_again_when_the_letters_are_taken_back(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        screen = await picking(stage, "/profile")
        rows = screen.query_one(OptionList)
        marked = rows.highlighted
        await stage.pilot.press("z", "backspace")
        await stage.until(lambda: rows.highlighted == marked)


@pytest.mark.parametrize("command", sorted(TITLES.keys() - {"effort"}))
async def test_one_row_is_what_holds_and_the_command_takes_every_value(
    tmp_path: Path, command: str
) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("hello")
        picks = picks_of(stage.session, command)
        assert picks
        assert len({row.value for row in picks.rows}) == len(picks.rows)
        if command not in {"skill", "rewind"}:
            assert sum(row.current for row in picks.rows) == 1
        for row in picks.rows[:3]:
            await stage.says(f"/{command} {row.value}")
            assert "Usage" not in stage.text()
            assert "There is no" not in stage.text()
