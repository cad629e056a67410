"""The input says how long the model has been at work, while one writes as well."""

from pathlib import Path

from octochat.frontends.tui.input.prompt import PromptInput
from tests.frontends.tui.approval.test_approve import Watch
from tests.frontends.tui.widget_stage import Stage, prompt
from tests.waiting import until


def said(one: PromptInput) -> str:
    return str(one.query_one("#frame").border_subtitle)


async def test_the_time_at_work_is_told_and_what_ends_it(tmp_path: Path) -> None:
    watch = Watch()
    one = prompt(tmp_path, clock=watch)
    async with Stage(one).run_test() as pilot:
        one.busy = True
        watch.now += 12
        one.editor.insert("a")
        await pilot.pause()
        assert said(one) == "12 s · Esc interrupts"
        watch.now += 60
        one.editor.clear()
        await pilot.pause()
        assert said(one) == "1 m 12 s"
        one.busy = False
        await pilot.pause()
        assert said(one) == ""


async def test_the_time_goes_on_without_a_key(tmp_path: Path) -> None:
    watch = Watch()
    one = prompt(tmp_path, clock=watch)
    async with Stage(one).run_test() as pilot:
        one.busy = True
        watch.now += 5
        await until(pilot, lambda: said(one) == "5 s", lambda: said(one))
