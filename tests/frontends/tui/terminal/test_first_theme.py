"""An app begins with a theme as if it had been set."""

from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from octochat.frontends.tui.terminal.first_theme import begin_with
from octochat.frontends.tui.themes import DARK, LIGHT


class Plain(App[None]):
    """Text in a theme's colours."""

    CSS = "Static { background: $primary; color: $text-warning; } Screen:light { margin: 1; }"

    def compose(self) -> ComposeResult:
        yield Static("text")


async def seen(app: App[Any]) -> tuple[object, ...]:
    """All that a theme decides."""
    async with app.run_test() as pilot:
        await pilot.pause()
        text = app.query_one(Static)
        return (
            app.current_theme,
            {name for name in app.classes if name.startswith("-")},
            text.styles.background,
            text.styles.color,
            app.screen.styles.margin,
            app.theme_variables,
            [(type(each), each.enabled) for each in app._filters],  # pyright: ignore[reportPrivateUsage]
        )


@pytest.mark.parametrize("name", [DARK.name, LIGHT.name, "textual-light", "nord", "ansi-dark"])
async def test_the_theme_is_the_same_as_one_that_is_set(name: str) -> None:
    one, other = Plain(), Plain()
    for app in (one, other):
        app.register_theme(DARK)
        app.register_theme(LIGHT)
    begin_with(one, name)
    other.theme = name
    assert await seen(one) == await seen(other)


async def test_nothing_is_styled_twice() -> None:
    app = Plain()
    app.register_theme(LIGHT)
    begin_with(app, LIGHT.name)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app._css_update_count == 0  # pyright: ignore[reportPrivateUsage]
