"""When a question counts: once it can have been read, while nobody types, one at a time."""

import asyncio
from pathlib import Path

from octochat.frontends.tui.approval.panel import EARLY, ApprovalPanel
from octochat.permissions.ask import (
    AllowOnce,
    Deny,
)
from tests.frontends.tui.approval.test_approve import FOLDER, Watch, asked, panel, run
from tests.frontends.tui.widget_stage import Stage, prompt, settle
from tests.waiting import soon, until


async def test_keys_of_the_first_moment_go_back_to_the_input(tmp_path: Path) -> None:
    watch = Watch()
    one = prompt(tmp_path, clock=watch)
    widget = ApprovalPanel(
        folder=FOLDER, typed_at=lambda: one.typed_at, give_back=one.give_back, clock=watch
    )
    async with Stage(widget, one).run_test() as pilot:
        one.editor.focus()
        await settle(pilot)
        task = await asked(pilot, widget, run("rm -rf build"))
        await pilot.press("y")
        await pilot.pause()
        assert not task.done()
        assert one.editor.text == "y"
        assert one.editor.has_focus
        task.cancel()


async def test_the_panel_says_whether_its_keys_count() -> None:
    widget, watch = panel()
    async with Stage(widget).run_test() as pilot:
        task = await asked(pilot, widget, run("ls"))
        assert str(widget.border_subtitle) == EARLY
        watch.now += 1
        await until(pilot, lambda: str(widget.border_subtitle) != EARLY)
        assert "Enter" in str(widget.border_subtitle)
        await pilot.press("y")
        assert await soon(task) == AllowOnce()


async def test_the_panel_waits_until_nobody_types(tmp_path: Path) -> None:
    watch = Watch()
    one = prompt(tmp_path, clock=watch)
    widget = ApprovalPanel(
        folder=FOLDER, typed_at=lambda: one.typed_at, give_back=one.give_back, clock=watch
    )
    async with Stage(widget, one).run_test() as pilot:
        one.editor.focus()
        await settle(pilot)
        await pilot.press("h")
        task = asyncio.ensure_future(widget.ask(run("ls")))
        await pilot.pause()
        await pilot.pause()
        assert widget.display
        assert one.editor.has_focus
        await pilot.press("y", "enter")
        await pilot.pause()
        assert not task.done()
        assert not widget.has_focus
        watch.now += 5
        await until(pilot, lambda: widget.has_focus)
        await pilot.pause()
        watch.now += 1
        await pilot.press("y")
        assert await soon(task) == AllowOnce()
        await pilot.pause()
        assert one.editor.has_focus


async def test_several_questions_are_asked_one_after_the_other() -> None:
    widget, watch = panel()
    async with Stage(widget).run_test() as pilot:
        first = await asked(pilot, widget, run("one"))
        second = asyncio.ensure_future(widget.ask(run("two")))
        await pilot.pause()
        assert "1 more" in str(widget.border_title)
        watch.now += 1
        await pilot.press("y")
        assert await soon(first) == AllowOnce()
        await pilot.pause()
        assert str(widget.border_subtitle) == EARLY
        await pilot.press("y")
        await pilot.pause()
        assert not second.done()

        def listens_a_moment_later() -> bool:
            watch.now += 1
            return widget.listening

        await until(pilot, listens_a_moment_later)
        await pilot.press("escape")
        assert await soon(second) == Deny()
        await pilot.pause()
        assert not widget.display
