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
        while (keys := str(widget.border_subtitle)) == EARLY:
            await pilot.pause()
        assert "Enter" in keys
        await pilot.press("y")
        assert await asyncio.wait_for(task, 5) == AllowOnce()


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
        while not widget.has_focus:
            await pilot.pause(0.05)
        await pilot.pause()
        watch.now += 1
        await pilot.press("y")
        assert await asyncio.wait_for(task, 5) == AllowOnce()
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
        assert await asyncio.wait_for(first, 5) == AllowOnce()
        await pilot.pause()
        assert str(widget.border_subtitle) == EARLY
        await pilot.press("y")
        await pilot.pause()
        assert not second.done()
        while not widget.listening:
            watch.now += 1
            await pilot.pause(0.05)
        await pilot.press("escape")
        assert await asyncio.wait_for(second, 5) == Deny()
        await pilot.pause()
        assert not widget.display
