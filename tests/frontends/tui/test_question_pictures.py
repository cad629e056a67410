"""Questions for permission over a conversation, as pictures. Each one was looked at."""

import asyncio
from typing import Any

from textual.pilot import Pilot

from octochat.context.session.content import ToolCall
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.permissions.ask import Approval
from tests.frontends.tui.approval.test_approve import edit, run
from tests.frontends.tui.approval.test_approve_pictures import LONG, NEW, OLD, PREVIEW
from tests.frontends.tui.canvas import Draw
from tests.frontends.tui.told import Told, session
from tests.waiting import until


async def asked(
    app: Octochat, shown: Transcript, pilot: Pilot[Any], one: Approval, *keys: str
) -> None:
    """The model wants something in the midst of a conversation; some keys are pressed."""
    told = Told(session(1))
    told.asks("Good. Make it so, and commit it.")
    told.calls(
        ToolCall("s", "bash", {"command": "git status --short"}),
        ToolCall("d", "bash", {"command": "git diff --stat"}),
        one.call,
        text="I look at the state of things first.",
    )
    told.returns("s", " M src/app.py")
    told.returns("d", " src/app.py | 5 +++--")
    shown.show_all(told.entries)
    assert app.chat
    panel = app.chat.view.approvals
    app.prompt.editor.insert("a draft that stays")
    app.prompt.busy = True
    question = asyncio.ensure_future(panel.ask(one))
    app.set_timer(3_600, question.cancel)
    await until(pilot, lambda: panel.has_focus and panel.listening)
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


def test_a_change(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await asked(app, shown, pilot, edit(OLD, NEW, PREVIEW))

    draw(act)


def test_parts_of_a_change(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await asked(app, shown, pilot, edit(OLD, NEW, PREVIEW), "p", "down", "space")

    draw(act)


def test_a_command(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await asked(app, shown, pilot, run(LONG))

    draw(act)


def test_how_much_is_allowed_always(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await asked(app, shown, pilot, run("git diff src/app.py && git push"), "a", "down")

    draw(act)


def test_a_no_with_its_reason(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await asked(app, shown, pilot, run("rm -rf build"), "n", *"keep it")

    draw(act)
