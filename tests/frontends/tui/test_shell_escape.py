"""`!` lines: what they print, how they are stopped, and that they can't touch the terminal."""

import asyncio
from pathlib import Path

import pytest

from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.shell_escape import FLOOD, MOST, run
from tests.frontends.tui.stage import Stage, built, on_stage
from tests.offline_session import at_home


async def test_the_end_of_much_output_is_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    ran = await run("yes 0123456789 | head -c 10000000; echo the end", tmp_path)
    assert ran.output.endswith("the end\n")
    assert len(ran.output) == MOST
    assert ran.left_out == 10_000_000 + len("the end\n") - MOST
    assert ran.status == 0
    assert not ran.ended


async def test_endless_output_is_ended(tmp_path: Path) -> None:
    ran = await run("yes", tmp_path)
    assert ran.ended == "ended after 100 MB"
    assert ran.left_out + MOST > FLOOD


async def test_what_it_leaves_in_the_background_goes_on_without_it(tmp_path: Path) -> None:
    ran = await run("sleep 60 & echo $!", tmp_path)
    assert ran.status == 0
    later = await run(f"kill {ran.output.strip()} && echo was there", tmp_path)
    assert later.output == "was there\n"


async def test_a_cancellation_ends_all_of_it_and_gives_what_came(tmp_path: Path) -> None:
    task = asyncio.create_task(run("echo begun; touch there; sleep 60; echo over", tmp_path))
    await run("while [ ! -e there ]; do sleep 0.05; done", tmp_path)
    task.cancel()
    ran = await task
    assert (ran.output, ran.ended) == ("begun\n", "stopped")


async def test_it_has_no_terminal(tmp_path: Path) -> None:
    ran = await run("cat; test -t 0 || test -t 1 || echo none; echo x > /dev/tty", tmp_path)
    assert ran.output.startswith("none\n")
    assert ran.status


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_a_key_stops_it_and_the_card_says_so(tmp_path: Path, key: str) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("!touch there; sleep 60")
        there = Path.cwd() / "there"
        await stage.until(there.exists)
        await stage.until(lambda: "Esc stops" in stage.text())
        await stage.pilot.press(key)
        await stage.until(lambda: "✗ ! touch there" in stage.text())
        assert "stopped · " in stage.text()
        await stage.until(lambda: not stage.app.prompt.beside)


async def test_it_does_not_wait_for_the_model(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("count to 3000")
        await stage.until(lambda: stage.app.prompt.busy)
        await stage.types("!echo beside it")
        await stage.until(lambda: "✓ ! echo beside it" in stage.text())
        assert stage.app.prompt.busy
        await stage.pilot.press("escape")
        await stage.rest()


async def test_what_is_typed_before_the_session_is_open_waits_for_it(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data")
        async with app.run_test(size=(100, 40)) as pilot:
            app.post_message(PromptInput.Submitted("!echo early"))
            stage = Stage(app, pilot, work)
            await stage.until(lambda: app.session is not None)
            await stage.until(lambda: "✓ ! echo early" in stage.text())


async def test_what_a_program_draws_is_shown_as_text(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types(r"!printf '\033[2J\033[31mred\033[0m\a\n'")
        await stage.until(lambda: "✓ ! printf" in stage.text())
        assert "\x1b" not in stage.text()
        assert "  red" in stage.text()


async def test_a_shell_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/no/such/shell")
    async with on_stage(tmp_path) as stage:
        await stage.types("!ls")
        await stage.until(lambda: "the shell can't be run" in stage.text())
