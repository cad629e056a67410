"""Work on the smallest screen, as pictures. Each one was looked at."""

from typing import Any

import pytest
from textual.pilot import Pilot

from octochat.context.session.content import ToolCall
from octochat.context.session.state import replay
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.screens.context import ContextScreen
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.models.port import Retrying, ToolStarted
from tests.frontends.tui.approval.test_approve import run
from tests.frontends.tui.canvas import GAUGE, Draw
from tests.frontends.tui.test_question_pictures import asked
from tests.frontends.tui.told import NOON, Told, day, session

pytestmark = pytest.mark.parametrize("size", [(60, 15)], ids=["60x15"])
TESTS = "python3 -m pytest -q tests/test_retry.py tests/test_cache.py && git status --short"


def test_a_command_that_waits_for_an_answer(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await asked(app, shown, pilot, run(TESTS))

    draw(act)


def test_a_failed_command_with_its_last_lines(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        del app, pilot
        told = Told(session(1))
        told.asks("Run the tests.")
        told.calls(ToolCall("t", "bash", {"command": TESTS}))
        lines = [f"tests/test_retry.py line {n}" for n in range(30)]
        told.returns("t", "\n".join((*lines, "E  assert 3 == 4", "1 failed in 0.2s")), failed=True)
        shown.show_all(told.entries)

    draw(act)


def test_the_line_that_says_what_is_at_work(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told(session(1))
        told.asks("Run the tests.")
        call = ToolCall("t", "bash", {"command": TESTS})
        assert app.pane
        app.prompt.busy = True
        for item in (*told.entries, told.calls(call)):
            shown.show(item)
        app.pane.activity.begin()
        shown.clock = lambda: NOON + 190
        shown.show(ToolStarted(call))
        app.pane.activity.hear(ToolStarted(call))
        shown.clock = lambda: NOON + 195
        await pilot.pause()

    draw(act)


def test_the_context_with_pins(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        del shown
        entries = day()
        await app.push_screen(ContextScreen(GAUGE, replay(entries), entries))
        await pilot.press("home", "p", "down", "down", "p")
        await pilot.pause()

    draw(act)


def test_the_countdown_to_the_next_try(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        del pilot
        app.prompt.busy = True
        told = Told(session(1))
        told.asks("Run the tests.")
        for item in (*told.entries, Retrying("The API is overloaded.", "overloaded", 20, 4, 6)):
            shown.show(item)

    draw(act)


def test_why_a_command_is_refused(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await asked(app, shown, pilot, run(TESTS), "n", *"use make")

    draw(act)
