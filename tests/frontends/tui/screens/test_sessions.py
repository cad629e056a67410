"""`/resume`: finding a session to go on with."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from octochat.frontends.tui.render.blocks import cells
from octochat.frontends.tui.screens.sessions import SessionsScreen, age, found, look, row
from octochat.storage.sessions import SessionSummary
from tests.frontends.tui.widget_stage import THEMES, Snap, Stage, settle

NOW = 1_000_000.0


def session(number: int, title: str, folder: str = "/work/octo") -> SessionSummary:
    return SessionSummary(
        id=f"s{number}",
        path=Path(f"/data/s{number}.jsonl"),
        folder=folder,
        title=title,
        model="claude-opus-5-5",
        updated=NOW - number * 4_000,
        turns=number * 3 + 1,
        cost=number * 0.21,
        preview=(title, f"prompt {number} [bold]x[/bold]", "日本語で"),
    )


ALL = (
    session(0, "Fix the parser [all] of it"),
    session(1, "日本語のドキュメントを書く 🎉 " * 4),
    session(2, "Release notes", "/work/other"),
    session(9, "x" * 200),
)


async def opened(pilot: Pilot[None], sessions: Sequence[SessionSummary] = ALL) -> list[str | None]:
    """Opens the screen; the list that comes back gets what it gives."""
    given: list[str | None] = []
    screen = SessionsScreen(lambda: sessions, folder=Path("/work/octo"), now=lambda: NOW)
    await pilot.app.push_screen(screen, given.append)
    await settle(pilot)
    return given


def shown(pilot: Pilot[None]) -> list[str]:
    options = pilot.app.screen.query_one(OptionList)
    return [str(option.id) for option in options.options]


async def test_those_of_this_folder_come_first_and_tab_shows_all() -> None:
    async with Stage().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert shown(pilot) == ["s0", "s1", "s9"]
        await pilot.press("tab")
        await pilot.pause()
        assert shown(pilot) == ["s0", "s1", "s2", "s9"]


async def test_words_find_and_enter_goes_on() -> None:
    async with Stage().run_test(size=(100, 30)) as pilot:
        given = await opened(pilot)
        await pilot.press("tab", *"notes")
        await pilot.pause()
        assert shown(pilot) == ["s2"]
        await pilot.press("enter")
        await pilot.pause()
        assert given == ["s2"]


async def test_the_arrows_choose_and_show_what_was_said() -> None:
    async with Stage().run_test(size=(100, 30)) as pilot:
        given = await opened(pilot)
        await pilot.press("down")
        await pilot.pause()
        assert "日本語" in str(pilot.app.screen.query_one("#look Static", Static).render())
        await pilot.press("enter")
        await pilot.pause()
        assert given == ["s1"]


async def test_escape_gives_nothing_and_so_does_enter_on_an_empty_list() -> None:
    async with Stage().run_test(size=(100, 30)) as pilot:
        given = await opened(pilot, ())
        await pilot.press("enter")
        await pilot.pause()
        assert given == []
        await pilot.press("escape")
        await pilot.pause()
        assert given == [None]


async def test_a_click_goes_on() -> None:
    async with Stage().run_test(size=(100, 30)) as pilot:
        given = await opened(pilot)
        await pilot.click(OptionList, offset=(5, 2))
        await pilot.pause()
        assert given == ["s9"]


async def test_what_is_typed_at_once_is_searched_before_enter() -> None:
    async with Stage().run_test(size=(100, 30)) as pilot:
        given = await opened(pilot)
        pilot.app.screen.query_one(Input).value = "日本語 ドキュ"
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert given == ["s1"]


def test_all_words_must_be_there() -> None:
    assert [one.id for one in found(ALL, "PARSER fix")] == ["s0"]
    assert [one.id for one in found(ALL, "prompt 2")] == ["s2"]
    assert not found(ALL, "parser release")


@pytest.mark.parametrize("width", [40, 58, 100])
def test_a_row_fits_and_tells_age_turns_and_cost(width: int) -> None:
    for one in ALL:
        assert cells(row(one, width, NOW, "/work/octo")) <= width
    assert row(ALL[2], 100, NOW, "/work/octo").plain.endswith("other · 2 h ago · 7 turns · $0.420")
    assert row(ALL[0], 100, NOW, "/work/octo").plain.endswith("just now · 1 turn")


def test_ages() -> None:
    assert [age(s, NOW) for s in (5, 300, 7_200, 90_000, 200_000)] == [
        "just now",
        "5 min ago",
        "2 h ago",
        "1 day ago",
        "2 days ago",
    ]


def test_a_look_says_where_it_was_and_what_was_asked() -> None:
    said = look(ALL[2]).plain
    assert said.startswith("/work/other · claude-opus-5-5 · s2\n❯ Release notes")
    assert "[bold]x[/bold]" in said
    assert said.endswith("and 4 more")


@pytest.mark.parametrize("theme", THEMES)
def test_pictures(snap_compare: Snap, theme: str) -> None:
    async def before(pilot: Pilot[None]) -> None:
        await opened(pilot)
        await pilot.press("tab", "down")
        await pilot.pause()

    app = Stage(theme=theme, above="The transcript stands here.")
    assert snap_compare(app, terminal_size=(60, 15), run_before=before)
