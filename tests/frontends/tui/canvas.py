"""A canvas for pictures of the whole app: two sizes, dark and light, a known status line."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from textual.pilot import Pilot

from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.status.gauge import Gauge, Share
from octochat.frontends.tui.transcript.transcript import Transcript
from tests.frontends.tui.stage import built
from tests.frontends.tui.told import NOON
from tests.offline_session import at_home
from tests.waiting import until

GAUGE = Gauge(
    model="claude-sonnet",
    size=41_300,
    limit=180_000,
    parts=(
        Share("system and tools", 4_200),
        Share("skills", 1_800),
        Share("notes", 4_000),
        Share("conversation", 30_300),
        Share("margin and uncounted", 1_000),
    ),
    levels=(60_000, 120_000, 160_000),
    cost=0.31,
    next_warm=0.013,
    next_cold=0.155,
)
Act: TypeAlias = Callable[[Octochat, Transcript, Pilot[Any]], Awaitable[None]]
"""Brings the app to where the picture is taken."""
Draw: TypeAlias = Callable[[Act], None]
"""Acts on the app, and compares the picture."""
Size: TypeAlias = tuple[int, int]
"""Columns and rows."""


@pytest.fixture(params=["80x24", "120x40"])
def size(request: pytest.FixtureRequest) -> Size:
    columns, rows = request.param.split("x")
    return int(columns), int(rows)


@pytest.fixture(params=["dark", "light"])
def draw(
    request: pytest.FixtureRequest,
    size: Size,
    tmp_path: Path,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> Draw:
    """Act on the app, then compare the picture."""
    monkeypatch.setenv("TZ", "UTC")

    def compare(act: Act) -> None:
        with at_home(tmp_path) as work:
            app = built(work, tmp_path / "data", dark=request.param == "dark")

            async def before(pilot: Pilot[Any]) -> None:
                await ready(app, pilot)
                assert app.pane
                await act(app, app.pane.transcript, pilot)
                app.pane.transcript.update()
                show_gauge(app)
                await pilot.pause()

            assert snap_compare(app, run_before=before, terminal_size=size)

    return compare


def show_gauge(app: Octochat) -> None:
    """Have the status line tell of the same figures in every picture."""
    assert app.status
    app.status.show(GAUGE)
    app.status.refresh()


async def ready(app: Octochat, pilot: Pilot[Any]) -> None:
    """Wait until the session is open, and stop all that moves."""
    await until(pilot, lambda: app.session is not None and app.pane is not None)
    assert app.pane
    shown = app.pane.transcript
    shown.clock = lambda: NOON + 90
    shown.clear()
    show_gauge(app)
    app.prompt.editor.cursor_blink = False
    app.prompt.clock = lambda: 0.0
