"""Where the keyboard is after a question was answered."""

import asyncio
from pathlib import Path

from octochat.context.session.content import ToolCall
from octochat.frontends.tui.approval.panel import ApprovalPanel
from octochat.permissions.ask import Approval
from octochat.permissions.rules import Rules
from octochat.permissions.widths import widths
from octochat.tools.base import Access
from tests.frontends.tui.widget_stage import Stage, prompt, settle
from tests.waiting import soon, until

FOLDER = Path("/work/octo")


async def test_it_comes_back_after_the_question_that_follows_a_written_no(tmp_path: Path) -> None:
    now = [100.0]
    one = prompt(tmp_path, clock=lambda: now[0])
    widget = ApprovalPanel(
        folder=FOLDER, typed_at=lambda: one.typed_at, give_back=one.give_back, clock=lambda: now[0]
    )
    access = Access("run", "ls")
    question = Approval(
        ToolCall("c1", "bash", {"command": "ls"}), access, widths(access, "bash", Rules(FOLDER))
    )
    async with Stage(widget, one).run_test() as pilot:
        one.editor.focus()
        await settle(pilot)
        for keys in (["n", "x", "enter"], ["y"]):
            await pilot.press("h")
            task = asyncio.ensure_future(widget.ask(question))
            await settle(pilot)
            assert one.editor.has_focus
            now[0] += 5
            await until(pilot, lambda: widget.has_focus)
            await pilot.pause()
            now[0] += 1
            await pilot.press(*keys)
            await soon(task)
            await settle(pilot)
            assert one.editor.has_focus
