"""What is typed reaches the input, wherever the keyboard is."""

from pathlib import Path

from textual import events

from tests.frontends.tui.stage import on_stage


async def test_what_is_typed_over_the_transcript_goes_to_the_input(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("hello")
        await stage.pilot.press("ctrl+up")
        assert stage.transcript.has_focus
        await stage.pilot.press("j", "slash", *"info")
        assert stage.app.prompt.editor.text == "/info"
        assert stage.app.prompt.editor.has_focus


async def test_what_is_pasted_over_the_transcript_goes_to_the_input(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("hello")
        await stage.pilot.press("ctrl+up")
        stage.transcript.post_message(events.Paste("from elsewhere"))
        await stage.until(lambda: stage.app.prompt.editor.text == "from elsewhere")


async def test_tab_with_nothing_to_complete_and_a_click_leave_the_keyboard(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("hello")
        await stage.types("yes", send=False)
        await stage.pilot.press("tab", *"man")
        await stage.pilot.click(stage.transcript)
        await stage.pilot.press("y")
        assert stage.app.prompt.editor.text == "yesmany"
