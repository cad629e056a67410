"""What is selected with the mouse is copied, and seen to be selected."""

from pathlib import Path
from typing import Any

from textual.geometry import Offset
from textual.pilot import Pilot

from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.transcript.transcript import Transcript
from tests.frontends.tui.canvas import Draw
from tests.frontends.tui.stage import Stage, on_stage
from tests.frontends.tui.told import session


async def drag(stage: Stage, start: Offset, end: Offset) -> None:
    """Select with the mouse from one place on the screen to another."""
    await stage.pilot.mouse_down(offset=start)
    await stage.pilot.hover(offset=end)
    await stage.pilot.mouse_up(offset=end)
    await stage.pilot.pause()


def where(stage: Stage, words: str) -> Offset:
    """The place on the screen where the words begin in the transcript."""
    lines = stage.text().split("\n")
    row = next(n for n, line in enumerate(lines) if words in line)
    return stage.transcript.region.offset + Offset(lines[row].index(words), row)


async def test_what_is_selected_is_copied_when_the_button_is_let_go(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        start = where(stage, "Sells")
        await drag(stage, start, start + Offset(len("Sell"), 0))
        assert stage.app.clipboard == "Sells"
        stage.app.copy_to_clipboard("")
        await stage.pilot.click(offset=where(stage, "# Shop"))
        await stage.pilot.click(offset=where(stage, "# Shop"), times=2)
        assert not stage.app.clipboard, "a click selects nothing, a double click not all"
        assert not stage.app.screen.get_selected_text()


async def test_what_is_selected_in_the_input_is_copied_when_the_button_is_let_go(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("some words", send=False)
        place = stage.app.prompt.editor.region.offset
        await drag(stage, place, place + Offset(len("some"), 0))
        assert stage.app.clipboard == "some"


async def test_what_was_selected_last_is_copied(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        await stage.types("some words", send=False)
        place = stage.app.prompt.editor.region.offset
        await drag(stage, place, place + Offset(len("some"), 0))
        start = where(stage, "Sells")
        await drag(stage, start, start + Offset(len("Sell"), 0))
        assert stage.app.clipboard == "Sells"
        stage.app.copy_to_clipboard("")
        await stage.pilot.press("ctrl+c")
        assert stage.app.clipboard == "Sells"
        await drag(stage, place, place + Offset(len("some"), 0))
        assert stage.app.clipboard == "some"
        assert not stage.app.screen.get_selected_text()
        stage.app.copy_to_clipboard("")
        await stage.pilot.click(offset=where(stage, "# Shop"))
        assert not stage.app.clipboard, "a click elsewhere copies nothing again"


async def test_a_drag_that_ends_over_the_input_copies_what_it_selected(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        await stage.types("some words", send=False)
        place = stage.app.prompt.editor.region.offset
        await drag(stage, place, place + Offset(len("some"), 0))
        await drag(stage, where(stage, "Sells"), place)
        assert stage.app.clipboard.startswith("Sells")


async def test_ctrl_c_stops_the_work_when_what_was_selected_is_copied(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        stage.hold()
        await stage.types("say hi")
        await stage.until(lambda: stage.app.prompt.busy)
        start = where(stage, "Sells")
        await drag(stage, start, start + Offset(len("Sell"), 0))
        await stage.pilot.press("ctrl+c")
        assert stage.app.prompt.busy, "the first one copies"
        await stage.pilot.press("ctrl+c")
        await stage.rest()
        assert "You stopped it" in stage.text()


async def test_ctrl_c_clears_the_input_when_what_was_selected_in_it_is_copied(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("some words", send=False)
        place = stage.app.prompt.editor.region.offset
        await drag(stage, place, place + Offset(len("some"), 0))
        await stage.pilot.press("ctrl+c")
        assert stage.app.prompt.editor.text == "some words", "the first one copies"
        await stage.pilot.press("ctrl+c")
        assert not stage.app.prompt.editor.text


def test_what_is_selected_is_seen(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        shown.update()
        await pilot.pause()
        top = shown.region.offset
        await pilot.mouse_down(offset=top + Offset(2, 1))
        await pilot.hover(offset=top + Offset(40, shown.size.height - 4))

    draw(act)
