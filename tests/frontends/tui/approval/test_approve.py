"""Asking for permission: what is shown, what keys mean, and which keys mean nothing."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Input, Static

from octochat.context.session.content import ToolCall
from octochat.frontends.plain.approval import approval_lines
from octochat.frontends.tui.approval.body import title_of
from octochat.frontends.tui.approval.panel import ApprovalPanel
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.render.sheet import Sheet
from octochat.permissions.ask import (
    AllowAlways,
    AllowOnce,
    AllowPart,
    AllowSession,
    Approval,
    Deny,
    Verdict,
)
from octochat.permissions.danger import dangers
from octochat.permissions.rule import Rule
from octochat.permissions.rules import Rules
from octochat.permissions.widths import widths
from octochat.tools.base import Access
from tests.frontends.tui.widget_stage import Stage
from tests.waiting import soon, until

FOLDER = Path("/work/octo")


class Watch:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def run(command: str) -> Approval:
    access = Access("run", command)
    call = ToolCall("c1", "bash", {"command": command})
    return Approval(call, access, widths(access, "bash", Rules(FOLDER)))


def edit(old: str, new: str, preview: str = "") -> Approval:
    access = Access("write", "src/app.py", path=FOLDER / "src/app.py", preview=preview)
    arguments = {"file_path": "src/app.py", "old_string": old, "new_string": new}
    return Approval(
        ToolCall("c1", "edit", arguments), access, widths(access, "edit", Rules(FOLDER))
    )


def past(*commands: str) -> Sequence[tuple[str, Access]]:
    return [("bash", Access("run", command)) for command in commands]


async def asked(pilot: Pilot[None], panel: ApprovalPanel, one: Approval) -> "asyncio.Task[Verdict]":
    """A question whose panel has the focus and whose keys count."""
    task = asyncio.ensure_future(panel.ask(one))
    await until(pilot, lambda: panel.has_focus)
    await pilot.pause()
    return task


def panel(*commands: str, watch: Watch | None = None) -> tuple[ApprovalPanel, Watch]:
    watch = watch or Watch()
    return ApprovalPanel(folder=FOLDER, past=lambda: past(*commands), clock=watch), watch


def rows(one: ApprovalPanel) -> list[tuple[str, str]]:
    return [(row.label, row.help) for row in one.query_one(Choices).rows]


async def answer(pilot: Pilot[None], one: Approval, *keys: str, ran: Sequence[str] = ()) -> Verdict:
    widget, watch = panel(*ran)
    app = pilot.app
    await app.mount(widget)
    task = await asked(pilot, widget, one)
    watch.now += 1
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
    verdict = await soon(task)
    await widget.remove()
    return verdict


async def test_yes_once_by_letter_or_by_enter() -> None:
    async with Stage().run_test() as pilot:
        assert await answer(pilot, run("ls"), "y") == AllowOnce()
        assert await answer(pilot, run("ls"), "Y") == AllowOnce()
        assert await answer(pilot, run("ls"), "enter") == AllowOnce()


async def test_of_a_tool_of_a_server_the_arguments_are_shown() -> None:
    access = Access("call", '{"title": "A bug"}')
    call = ToolCall("c1", "mcp__git__issue", {"title": "A bug"})
    one = Approval(call, access, widths(access, call.name, Rules(FOLDER)))
    widget, _ = panel()
    async with Stage(widget).run_test() as pilot:
        task = await asked(pilot, widget, one)
        assert widget.border_title == "mcp__git__issue wants to run"
        body = widget.query_one(Sheet)
        shown = "\n".join(body.render_line(y).text for y in range(body.size.height))
        assert "A bug" in shown
        task.cancel()
    told = list(approval_lines(one))
    assert told == ["Question: mcp__git__issue wants to run.", "  title: A bug"]


async def test_escape_is_a_no() -> None:
    async with Stage().run_test() as pilot:
        assert await answer(pilot, run("ls"), "escape") == Deny()


async def test_a_reason_that_was_left_with_escape_is_still_there() -> None:
    widget, watch = panel()
    async with Stage(widget).run_test() as pilot:
        task = await asked(pilot, widget, run("grep x"))
        for keys in (["n", *"use rg", "escape"], ["n", "enter"]):
            watch.now += 1
            await pilot.press(*keys)
            await pilot.pause()
        assert await soon(task) == Deny("use rg")


async def test_a_no_takes_its_reason_along() -> None:
    async with Stage().run_test() as pilot:
        keys = ["n", *"use rg", "enter"]
        assert await answer(pilot, run("grep x"), *keys) == Deny("use rg")


async def test_for_this_session_and_always_offer_three_widths() -> None:
    async with Stage().run_test() as pilot:
        line = run("git commit -m x")
        assert await answer(pilot, line, "s", "enter") == AllowSession(
            (Rule("bash", "git commit -m x"),)
        )
        assert await answer(pilot, line, "a", "down", "enter") == AllowAlways(
            (Rule("bash", "git commit *"),)
        )
        assert await answer(pilot, line, "a", "down", "down", "enter") == AllowAlways(
            (Rule("bash", "git *"),)
        )


async def test_each_width_names_what_it_would_have_covered() -> None:
    widget, watch = panel("git commit -m a", "git status", "ls", "git log", "git diff")
    async with Stage(widget).run_test(size=(120, 40)) as pilot:
        task = await asked(pilot, widget, run("git commit -m x"))
        watch.now += 1
        await pilot.press("a")
        await pilot.pause()
        assert rows(widget) == [
            ("bash(git commit -m x)", "no earlier call"),
            ("bash(git commit *)", "1 so far: git commit -m a"),
            ("bash(git *)", "4 so far: git commit -m a, git status, git log and 1 more"),
            ("e  Another pattern …", ""),
        ]
        await pilot.press("escape", "y")
        assert await task == AllowOnce()


async def test_a_pattern_can_be_written_and_a_wrong_one_is_not_taken() -> None:
    widget, watch = panel("git log")
    async with Stage(widget).run_test() as pilot:
        task = await asked(pilot, widget, run("git log -3"))
        watch.now += 1
        await pilot.press("a", "e")
        await pilot.pause()
        line = widget.query_one(Input)
        line.value = "bash("
        await pilot.pause()
        assert "is not a rule" in str(widget.query_one("#said", Static).render())
        await pilot.press("enter")
        assert not task.done()
        line.value = "bash(git status)"
        await pilot.pause()
        assert "not this call, which runs once" in str(widget.query_one("#said", Static).render())
        line.value = "bash(git log *)"
        await pilot.pause()
        assert "1 so far: git log" in str(widget.query_one("#said", Static).render())
        await pilot.press("enter")
        await pilot.pause()
        assert await task == AllowAlways((Rule("bash", "git log *"),))


OLD = "a\nb\nc\nd\ne\nf\ng\nh\ni\n"
NEW = "A\nb\nc\nd\ne\nf\ng\nh\nI\n"


async def test_parts_of_an_edit_are_accepted_and_the_model_is_told() -> None:
    async with Stage().run_test() as pilot:
        verdict = await answer(pilot, edit(OLD, NEW), "p", "down", "space", "enter")
        assert isinstance(verdict, AllowPart)
        assert verdict.amended.arguments["new_string"] == OLD.replace("a", "A")
        assert "1 of the 2 parts" in verdict.amended.note
        assert "-i\n+I" in verdict.amended.note
        assert await answer(pilot, edit(OLD, NEW), "p", "enter") == AllowOnce()


async def test_of_several_edits_in_one_call_each_is_a_part() -> None:
    edits = [{"old_string": x, "new_string": x.upper()} for x in ("a", "b", "c\nd")]
    call = ToolCall("c1", "edit", {"file_path": "src/app.py", "edits": edits})
    one = replace(edit("a", "A"), call=call)
    async with Stage().run_test() as pilot:
        verdict = await answer(pilot, one, "p", "down", "space", "enter")
        assert isinstance(verdict, AllowPart)
        assert verdict.amended.arguments == {
            "file_path": "src/app.py",
            "edits": [edits[0], edits[2]],
        }
        assert "2 of the 3 parts" in verdict.amended.note
        assert verdict.amended.note.endswith("@@ part 2 @@\n-b\n+B")


async def test_a_new_file_has_no_parts() -> None:
    access = Access("write", "new.md", path=FOLDER / "new.md")
    call = ToolCall("c", "write", {"file_path": "new.md", "content": "a\nb\n"})
    one = Approval(call, access, widths(access, "write", Rules(FOLDER)))
    async with Stage().run_test() as pilot:
        assert await answer(pilot, one, "p", "escape") == Deny()


async def test_parts_of_a_written_file_come_from_what_is_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(OLD)
    access = Access("write", "x.txt", path=path)
    call = ToolCall("c", "write", {"file_path": "x.txt", "content": NEW})
    one = Approval(call, access, widths(access, "write", Rules(tmp_path)))
    async with Stage().run_test() as pilot:
        verdict = await answer(pilot, one, "p", "space", "enter")
        assert isinstance(verdict, AllowPart)
        assert verdict.amended.arguments["content"] == OLD.replace("i", "I")


async def test_a_long_question_scrolls_to_its_end() -> None:
    widget, watch = panel()
    async with Stage(widget).run_test(size=(60, 15)) as pilot:
        task = await asked(pilot, widget, run("\n".join(f"echo {n}" for n in range(60))))
        watch.now += 1
        body = widget.query_one(VerticalScroll)
        await pilot.press("d")
        await pilot.pause()
        below = re.search(r"↓ (\d+) more · PgDn", str(widget.border_subtitle))
        assert below
        assert int(below[1]) == round(body.max_scroll_y - body.scroll_y)
        assert body.scroll_y > 0
        for _ in range(100):
            await pilot.press("pagedown")
        await pilot.pause()
        assert body.is_vertical_scroll_end
        assert "↓" not in str(widget.border_subtitle)
        await pilot.press("u")
        await pilot.pause()
        assert not body.is_vertical_scroll_end
        task.cancel()


async def test_on_a_short_screen_the_answers_stand_in_one_row_below_the_first_change() -> None:
    head = "".join(f" line {n}\n" for n in range(20))
    diff = f"--- a\n+++ b\n@@ -1,21 +1,21 @@\n{head}-old\n+the new line\n"
    one = replace(edit("old", "new", diff), dangers=("writes outside the working folder",))
    widget, watch = panel()
    async with Stage(widget).run_test(size=(60, 15)) as pilot:
        task = await asked(pilot, widget, one)
        await pilot.pause()
        body, choices = widget.query_one(VerticalScroll), widget.query_one(Choices)
        assert choices.size.height == 1
        seen = "\n".join(
            body.query_one(Sheet).render_line(y).text
            for y in range(int(body.scroll_y), int(body.scroll_y) + body.size.height)
        )
        assert "the new line" in seen
        watch.now += 1
        await pilot.press("right", "right", "right", "enter")
        await pilot.press(*"no", "enter")
        assert await soon(task) == Deny("no")


async def test_what_may_do_harm_is_said_above_the_command() -> None:
    widget, _ = panel()
    async with Stage(widget).run_test() as pilot:
        access = Access("run", "rm -rf build")
        task = await asked(pilot, widget, replace(run(access.target), dangers=dangers(access)))
        first = widget.query_one(Sheet).render_line(0).text
        assert "! This deletes folders with all that is in them." in first
        assert widget.has_class("-danger")
        task.cancel()


async def test_a_withdrawn_question_goes_away() -> None:
    widget, _ = panel()
    async with Stage(widget).run_test() as pilot:
        task = await asked(pilot, widget, run("sleep 100"))
        task.cancel()
        await pilot.pause()
        await pilot.pause()
        assert not widget.display


async def test_a_question_survives_a_resize() -> None:
    widget, watch = panel()
    async with Stage(widget).run_test(size=(120, 40)) as pilot:
        task = await asked(pilot, widget, run("ls"))
        watch.now += 1
        await pilot.press("a")
        await pilot.pause()
        await pilot.resize_terminal(60, 15)
        await pilot.pause()
        await pilot.press("enter")
        assert await soon(task) == AllowAlways((Rule("bash", "ls"),))


async def test_a_file_that_is_not_there_is_created_not_changed() -> None:
    diff = "--- /dev/null\n+++ new.md\n@@ -0,0 +1 @@\n+a\n"
    call = ToolCall("c", "write", {"file_path": "new.md", "content": "a\n"})
    for preview, verb in ((diff, "create"), (OLD, "change")):
        access = Access("write", "new.md", path=FOLDER / "new.md", preview=preview)
        one = Approval(call, access, widths(access, "write", Rules(FOLDER)))
        assert title_of(one) == f"write wants to {verb} new.md"
        assert next(approval_lines(one)) == f"Question: write wants to {verb} new.md:"
