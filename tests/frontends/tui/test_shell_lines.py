"""`!` lines on the screen: a card each, keys that stop them, and what goes to the model."""

import asyncio
import errno
import os
import re
from pathlib import Path

import pytest

from octochat.context.session.content import Said
from octochat.context.session.events import Prompted
from octochat.context.session.ran import Ran, commands_in, own_words, ran_in
from octochat.frontends.shared.drafts import DraftFile
from octochat.frontends.shared.shell_escape import ShellResult
from octochat.frontends.tui.input.along import Along
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.frontends.tui.transcript.cards.shell import ShellCard
from tests.frontends.tui.stage import Stage, built, on_stage
from tests.offline_session import at_home


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


async def test_what_it_prints_is_seen_while_it_runs(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("!echo one; echo two; while [ ! -e go ]; do sleep 0.05; done; echo over")
        await stage.until(lambda: "    one\n    two" in stage.text())
        assert "Esc stops" in stage.text()
        (Path.cwd() / "go").touch()
        await stage.until(lambda: "✓ ! echo one" in stage.text())
        assert stage.text().count("  two") == 1


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


async def runs(stage: Stage, line: str) -> None:
    """Run a line, and wait until it goes along."""
    along = stage.app.query_one(Along)
    before = len(along.kept)
    await stage.types(line)
    await stage.until(lambda: len(along.kept) > before)


def prompts(stage: Stage) -> list[tuple[Said, ...]]:
    entries = stage.session.engine.log.entries
    return [entry.event.blocks for entry in entries if isinstance(entry.event, Prompted)]


async def test_what_they_print_goes_with_the_next_message_and_with_no_other(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await runs(stage, "!echo a walrus; exit 3")
        await runs(stage, "!echo a gull")
        assert not prompts(stage)
        assert "Backspace takes it off" in stage.screen()
        await stage.types("/info")
        await stage.says("what was that?")
        await stage.says("and now?")
        first, second = prompts(stage)
        assert [(r.command, r.output) for r in commands_in(first)] == [
            ("echo a walrus; exit 3", "a walrus"),
            ("echo a gull", "a gull"),
        ]
        assert commands_in(first)[0].ended.startswith("exit 3 in 0.")
        assert own_words(first) == "what was that?"
        assert not commands_in(second)
        assert "! echo a walrus; exit 3 · exit 3 in 0." in stage.text()
        resumed = stage.session.engine.log.id
    async with on_stage(tmp_path, resume=resumed) as stage:
        await stage.until(lambda: "! echo a gull · exit 0 in 0." in stage.text())


async def test_with_two_marks_it_is_for_the_person_alone(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("!!echo a walrus")
        await stage.until(lambda: "✓ !! echo a walrus" in stage.text())
        assert "not sent" in stage.text()
        assert not stage.app.query_one(Along).kept
        await stage.says("hello")
        assert not commands_in(prompts(stage)[0])


def test_on_a_narrow_screen_a_line_keeps_the_facts_that_matter_most() -> None:
    card = ShellCard(0.0, "echo one; exit 3", told=False)
    card.end(ShellResult(3, 0.0, "one\n"))
    beside = [card.blocks(Page(width, 0.0))[0].right.plain for width in (76, 56, 40, 20)]
    assert beside == [
        "not sent · exit 3 · 1 line · 0.0 s  ▾",
        "not sent · exit 3 · 1 line  ▾",
        "not sent · exit 3  ▾",
        "not sent  ▾",
    ]


async def test_backspace_in_the_empty_input_takes_the_last_off(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await runs(stage, "!echo one")
        await runs(stage, "!echo two")
        await stage.types("ab", send=False)
        await stage.pilot.press("backspace", "backspace")
        assert len(stage.app.query_one(Along).kept) == 2
        await stage.pilot.press("backspace")
        await stage.says("hello")
        assert [ran.output for ran in commands_in(prompts(stage)[0])] == ["one"]


async def test_what_is_undone_comes_back_with_what_went_along(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await runs(stage, "!echo one")
        await stage.says("hello")
        await stage.says("/undo")
        assert stage.app.prompt.editor.text == "hello"
        assert len(stage.app.query_one(Along).kept) == 1


async def test_what_waits_keeps_what_goes_along_and_gives_it_back(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        stage.hold()
        await stage.types("begin")
        await stage.until(lambda: stage.app.prompt.busy)
        await runs(stage, "!echo one")
        await stage.types("and this?")
        along = stage.app.query_one(Along)
        await stage.until(lambda: not along.kept)
        await stage.pilot.press("up")
        assert stage.app.prompt.editor.text == "and this?"
        assert len(along.kept) == 1
        await stage.pilot.press("escape")


async def test_what_is_not_sent_is_on_the_disk_with_the_draft(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await runs(stage, "!echo one")
        drafts = stage.app.prompt.drafts.here
    kept = [DraftFile(file).load().draft for file in (tmp_path / "data" / "drafts").iterdir()]
    assert kept == [drafts]
    assert drafts.along[0].label.startswith("! echo one · exit 0 in 0.")


async def test_what_the_log_cannot_take_comes_back_with_what_went_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with on_stage(tmp_path) as stage:
        await runs(stage, "!echo one")

        def full(*_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fdatasync", full)
            await stage.says("what was that?")
        assert stage.app.prompt.editor.text == "what was that?"
        assert len(stage.app.query_one(Along).kept) == 1
        await stage.pilot.press("enter")
        await stage.until(lambda: prompts(stage))
        await stage.rest()
        assert [ran.output for ran in commands_in(prompts(stage)[0])] == ["one"]
        assert stage.app.prompt.editor.text == ""


async def test_what_is_too_long_is_cut_as_a_result_is_and_a_file_has_it_all(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await runs(stage, "!seq 20000")
        (ran,) = _told(stage)
        assert len(ran.output) < 31_000
        assert ran.output.endswith("\n20000")
        named = re.search(r"the full text is in (\S+):", ran.output)
        assert named
        whole = await asyncio.to_thread(Path(named[1]).read_text, "utf-8")
        assert whole.endswith("\n20000\n")


def _told(stage: Stage) -> tuple[Ran, ...]:
    return tuple(ran for each in stage.app.query_one(Along).kept if (ran := ran_in(each.text)))
