"""What a rule would have covered before: calls that were answered, not the one asked about."""

from pathlib import Path

from octochat.frontends.tui.approval.panel import ApprovalPanel
from tests.frontends.tui.stage import on_stage


async def test_the_call_that_is_asked_about_is_no_past_call(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        for earlier in ("no earlier call", "1 so far: make"):
            await stage.types("run make")
            panel = stage.app.query_one(ApprovalPanel)
            await stage.until(lambda panel=panel: panel.has_focus and panel.listening)
            await stage.pilot.press("s")
            await stage.until(lambda said=earlier: said in stage.screen())
            await stage.pilot.press("escape", "y")
            await stage.rest()
