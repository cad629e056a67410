"""Plan mode, as pictures in three sizes. Each one was looked at."""

from typing import Any

import pytest
from textual.pilot import Pilot

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Prompted, Replied
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.permissions.modes import PLANNING
from tests.frontends.tui.canvas import Draw
from tests.frontends.tui.told import Told, session

SIZES = [(60, 15), (80, 24), (120, 40)]
pytestmark = pytest.mark.parametrize("size", SIZES, ids=[f"{x}x{y}" for x, y in SIZES])
PLAN = """# Plan

1. In `src/retry.py`, count tries from one.
2. In `tests/test_retry.py`, a case for the last try.
3. Run `python3 -m pytest -q tests`."""


def test_a_plan_and_what_may_be_answered(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        assert app.chat
        assert app.session
        told = Told(session(1))
        told.asks("Plan it first.")
        told.calls(ToolCall("e", "edit", {"file_path": "src/retry.py"}))
        told.returns("e", PLANNING, failed=True)
        told.says(Text(PLAN))
        shown.show_all(told.entries)
        while app.session.dials.next_mode() != "plan":
            pass
        for event in (Prompted((Text("Plan it first."),)), Replied((Text(PLAN),))):
            app.session.engine.append(event)
        app.chat.view.offer_plan(app.session)
        await pilot.pause()

    draw(act)
