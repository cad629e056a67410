"""Choosing among the parts of a change: the one that is chosen is in view."""

from difflib import unified_diff

from textual.containers import VerticalScroll

from octochat.frontends.tui.render.diff import changes_at
from octochat.frontends.tui.render.sheet import Sheet
from tests.frontends.tui.approval.test_approve import asked, edit, panel
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
