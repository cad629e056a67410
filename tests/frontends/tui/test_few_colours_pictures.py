"""A terminal of 16 colours, on a black ground and on a white one, as pictures; each looked at."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.terminal_theme import TerminalTheme
from textual.filter import ANSIToTruecolor
from textual.pilot import Pilot

from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.screens.picker import PickerScreen
from octochat.frontends.tui.terminal.sixteen import Sixteen
from tests.frontends.tui.canvas import Size, ready
from tests.frontends.tui.stage import built
from tests.frontends.tui.test_reading_pictures import working
from tests.offline_session import at_home
from tests.waiting import until

SIZES = (60, 15), (80, 24), (120, 40)
CONSOLE = TerminalTheme(
    (0, 0, 0),
    (170, 170, 170),
    [
        *((0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0)),
        *((0, 0, 170), (170, 0, 170), (0, 170, 170), (170, 170, 170)),
    ],
    [
        *((85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85)),
        *((85, 85, 255), (255, 85, 255), (85, 255, 255), (255, 255, 255)),
    ],
)
"""What the 16 look like on the console of Linux."""


@pytest.mark.parametrize("screen", ["work", "list"])
@pytest.mark.parametrize("ground", ["black", "white"])
@pytest.mark.parametrize("size", SIZES, ids=[f"{x}x{y}" for x, y in SIZES])
def test_sixteen_colours(
    ground: str,
    screen: str,
    size: Size,
    tmp_path: Path,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data", dark=ground == "black")
        app._filters += [Sixteen(), ANSIToTruecolor(CONSOLE)]  # pyright: ignore[reportPrivateUsage]

        async def before(pilot: Pilot[Any]) -> None:
            await ready(app, pilot)
            await show(app, pilot, screen)

        assert snap_compare(app, run_before=before, terminal_size=size)


async def show(app: Octochat, pilot: Pilot[Any], screen: str) -> None:
    """A change with its diff, or a list to choose from."""
    assert app.pane
    app.pane.transcript.show_all(working().entries)
    app.pane.transcript.update()
    if screen == "list":
        app.submit("/theme")
        await until(pilot, lambda: isinstance(app.screen, PickerScreen))
    await pilot.pause()
