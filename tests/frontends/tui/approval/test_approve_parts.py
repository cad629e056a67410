"""What a question shows: its title, the parts of a change, the one that is chosen in view."""

from dataclasses import replace
from difflib import unified_diff

from textual.containers import VerticalScroll
from textual.widgets import Input

from octochat.frontends.tui.approval.body import body_of, title_of
from octochat.frontends.tui.approval.hunks import part_of
from octochat.frontends.tui.render.diff import changes_at
from octochat.frontends.tui.render.sheet import Sheet
from octochat.permissions.danger import dangers
from tests.frontends.tui.approval.test_approve import asked, edit, panel, run
from tests.frontends.tui.widget_stage import Stage
from tests.waiting import soon

OLD = [f"line {n}" for n in range(60)]
NEW = [line.upper() if n in {3, 30, 55} else line for n, line in enumerate(OLD)]
PREVIEW = "\n".join(unified_diff(OLD, NEW, "a", "a", lineterm=""))


def seen(one: VerticalScroll) -> str:
    sheet = one.query_one(Sheet)
    top = one.scroll_offset.y
    return "\n".join(sheet.render_line(y).text for y in range(top, top + one.size.height))


def test_every_run_of_changed_lines_has_its_place() -> None:
    assert changes_at(PREVIEW) == [3, 12, 21]
    assert changes_at("too long to compare") == []


async def test_on_a_small_screen_the_part_that_is_chosen_is_scrolled_to() -> None:
    one, watch = panel()
    async with Stage().run_test(size=(60, 15)) as pilot:
        await pilot.app.mount(one)
        task = await asked(pilot, one, edit("\n".join(OLD), "\n".join(NEW), PREVIEW))
        watch.now += 1
        await pilot.press("p")
        await pilot.pause()
        body = one.query_one(VerticalScroll)
        assert "LINE 3" in seen(body)
        await pilot.press("down", "down")
        await pilot.pause()
        assert "LINE 55" in seen(body)
        assert "LINE 3" not in seen(body)
        await pilot.press("up", "space")
        await pilot.pause()
        assert "LINE 30" in seen(body)
        await pilot.press("escape", "escape")
        await soon(task)


def test_of_several_edits_only_lines_that_differ_count() -> None:
    part = part_of("a\nb\nc\n", "a\nB\nc\n")
    assert (part.removed, part.added) == (("b",), ("B",))
    whole = part_of("a", "b")
    assert (whole.removed, whole.added) == (("a",), ("b",))
    added = part_of("a\n", "a\nb\n")
    assert (added.removed, added.added) == ((), ("b",))


async def test_a_reason_is_written_inside_the_box_on_a_small_screen_too() -> None:
    widget, watch = panel()
    async with Stage(widget).run_test(size=(60, 15)) as pilot:
        task = await asked(pilot, widget, run("\n".join(f"echo {n}" for n in range(60))))
        watch.now += 1
        before = widget.outer_size.height
        await pilot.press("n")
        await pilot.pause()
        assert widget.query_one(Input).region.bottom < widget.region.bottom
        assert widget.outer_size.height == before
        task.cancel()


def test_a_script_of_one_command_a_line_is_not_listed_again() -> None:
    assert len(body_of(run("make\n  ls -l"))) == 2
    assert len(body_of(run("make && ls\nls"))) == 2 + 1 + 3


def test_the_title_says_create_of_a_new_file_and_does_not_repeat_the_warning() -> None:
    new = edit("", "x", "--- /dev/null\n+++ src/app.py\n@@ -0,0 +1 @@\n+x\n")
    assert title_of(new) == "edit wants to create src/app.py"
    outside = replace(new, access=replace(new.access, inside=False, preview=""))
    assert title_of(outside) == "edit wants to change src/app.py, outside the working folder"
    warned = replace(outside, dangers=dangers(outside.access))
    assert title_of(warned) == "edit wants to change src/app.py"
