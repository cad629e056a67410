"""The help screen and the commands in the palette."""

from collections.abc import Sequence

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from octochat.commands.spec import CommandSpec
from octochat.frontends.tui.render.blocks import cells
from octochat.frontends.tui.screens.help import (
    APPROVAL_KEYS,
    EDITING_KEYS,
    INPUT_KEYS,
    HelpScreen,
    page,
)
from octochat.frontends.tui.screens.palette import SlashCommands
from tests.frontends.tui.widget_stage import COMMANDS, THEMES, Snap, Stage, settle

SECTIONS = (
    ("In the input", (*INPUT_KEYS, *EDITING_KEYS["default"])),
    ("When you are asked", APPROVAL_KEYS),
)


def screen() -> HelpScreen:
    return HelpScreen(COMMANDS, *SECTIONS)


async def test_words_narrow_the_help_down() -> None:
    async with Stage().run_test(size=(100, 40)) as pilot:
        await pilot.app.push_screen(screen())
        await pilot.press(*"model")
        await pilot.pause()
        said = str(pilot.app.screen.query_one(Static).render())
        assert "/model [NAME]" in said
        assert "/restore" not in said
        pilot.app.screen.query_one(Input).value = "qqq"
        await pilot.pause()
        assert "No key or command" in str(pilot.app.screen.query_one(Static).render())


async def test_escape_closes_it() -> None:
    async with Stage().run_test() as pilot:
        await pilot.app.push_screen(screen())
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.parametrize("width", [40, 50, 90])
def test_nothing_is_cut(width: int) -> None:
    text = page(SECTIONS, "", width)
    shown = set(text.plain.split())
    for _, rows in SECTIONS:
        for key, what in rows:
            assert {*key.split(), *what.split()} <= shown
    assert max(cells(line) for line in text.split("\n")) <= width


class Palette(Stage):
    """An app whose palette has the commands."""

    ENABLE_COMMAND_PALETTE = True
    COMMANDS = App.COMMANDS | {SlashCommands}

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[str] = []

    def palette_commands(self) -> Sequence[CommandSpec]:
        return COMMANDS

    def palette_chose(self, command: CommandSpec) -> None:
        self.chosen.append(command.name)


async def test_the_palette_finds_a_command() -> None:
    app = Palette()
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*"model")
        await settle(pilot)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.chosen == ["model"]


async def test_the_palette_says_what_it_is_and_what_its_keys_do() -> None:
    app = Palette()
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        await settle(pilot)
        box = app.screen.query_one("#--container")
        assert box.border_title == "Commands"
        assert "Esc goes back" in str(box.border_subtitle)


async def test_the_palette_has_our_commands_before_those_of_textual() -> None:
    app = Palette()
    async with app.run_test(size=(100, 60)) as pilot:
        await pilot.press("ctrl+p")
        await settle(pilot)
        for words, others in (("", "Quit"), ("he", "Theme")):
            app.screen.query_one(Input).value = words
            await pilot.pause()
            await settle(pilot)
            found = [str(option.prompt) for option in app.screen.query_one(OptionList).options]
            ours = [name.startswith("/") for name in found]
            assert any(name.startswith(others) for name in found)
            assert ours == sorted(ours, reverse=True)
            assert any(ours)


@pytest.mark.parametrize("theme", THEMES)
def test_pictures(snap_compare: Snap, theme: str) -> None:
    async def before(pilot: Pilot[None]) -> None:
        await pilot.app.push_screen(screen())
        await pilot.pause()

    app = Stage(theme=theme, above="The transcript stands here.")
    assert snap_compare(app, terminal_size=(60, 15), run_before=before)
