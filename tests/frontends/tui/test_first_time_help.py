"""Commands explain themselves the first time that they are used, and never again."""

from pathlib import Path

from textual.widgets import Static

from octochat.frontends.tui.first_time_help import EXPLAINED, explanation
from octochat.frontends.tui.screens.context import ContextScreen
from tests.frontends.tui.stage import on_stage


def test_a_command_is_explained_until_it_was_sent_before() -> None:
    assert explanation("/done next", ["hello", "/done next"]) == EXPLAINED["/done"]
    assert explanation("/done", ["/done", "hello", "/done"]) == ""
    assert explanation("/undo", ["/undo"]) == ""
    assert explanation("", []) == ""


async def test_info_explains_itself_once(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        for _ in range(2):
            await stage.types("/info")
            await stage.rest()
        await stage.until(lambda: "Cache hit rate" in stage.text())
        assert sum("How full the context is" in card.text() for card in stage.transcript.cards) == 1


async def test_the_context_explains_itself_once_where_there_is_room(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        shown: list[bool] = []
        for _ in range(2):
            await stage.types("/context")
            await stage.until(lambda: isinstance(stage.app.screen, ContextScreen))
            await stage.pilot.pause()
            told = stage.app.screen.query_one("#told", Static)
            shown.append(told.display)
            if told.display:
                await stage.pilot.resize_terminal(60, 15)
                await stage.until(lambda told=told: not told.display)
                await stage.pilot.resize_terminal(100, 40)
            await stage.pilot.press("escape")
            await stage.until(lambda: not isinstance(stage.app.screen, ContextScreen))
        assert shown == [True, False]
