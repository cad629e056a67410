"""Sessions as a person handles them: left, gone on with, begun anew, taken back."""

import asyncio
import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from octochat.context.session.events import NoteEdited, Rewound
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.approval.panel import ApprovalPanel
from octochat.frontends.tui.screens.picker import PickerScreen
from octochat.models.port import Compressing
from octochat.session.options import Options
from tests.cold_session import BY_CODE, cold_session
from tests.e2e.home import home
from tests.e2e.test_keep_warm import work
from tests.frontends.tui.stage import Stage, on_stage
from tests.server.threaded import served


async def test_a_session_is_left_and_gone_on_with(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        before = stage.text().split("▌")[1].split()
        session = stage.session.engine.log.id
        await stage.types("/quit")
        await stage.pilot.pause()
        assert stage.app.return_value == session
    async with on_stage(tmp_path, resume=session) as stage:
        await stage.rest()
        assert stage.text().split("▌")[1].split() == before


async def test_a_compression_under_way_knows_what_has_come_of_its_note(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        for _ in range(3):
            await stage.says("read README.md")
        await stage.says("/done")
        stage.session.compressor.bill.characters = 1_234
        stage.transcript.show(Compressing("pressure", "over level 1", 9_000))
        stage.transcript.update()
        assert "308 tokens written" in stage.text()


async def test_a_task_is_ended_and_the_compression_restored(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        for _ in range(3):
            await stage.says("read README.md")
        await stage.says("/done")
        assert "◆ Compressed" in stage.text()
        await stage.says("/restore")
        text = stage.text()
        assert "Restored what compression" in text
        assert "restored" in text.split("◆ Compressed")[1].splitlines()[0]


@contextmanager
def away() -> Generator[None]:
    """A terminal that can be left."""
    yield


async def test_a_note_is_rewritten_in_the_persons_editor_from_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\ncp "$1" {tmp_path}/seen\necho "The hull is ash." >> "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    async with on_stage(tmp_path) as stage:
        monkeypatch.setattr(stage.app, "suspend", away)
        for _ in range(3):
            await stage.says("read README.md")
        await stage.says("/done")
        note = stage.session.engine.state.view.units[0]
        stage.transcript.focus()
        card = next(c for c in stage.transcript.cards if c.entry == note.id)
        stage.transcript.point_at(card)
        await stage.pilot.press("e")
        await stage.until(lambda: "You rewrote the note" in stage.text())
        entry = stage.session.engine.log.entries[-1].event
        assert isinstance(entry, NoteEdited)
        assert entry.note == note.id
        seen = (tmp_path / "seen").read_text()
        assert seen.startswith(
            f"<!-- octochat: what you save takes the place of the note #{note.id}"
        )
        assert "<work-so-far>" not in seen
        assert entry.text.startswith("<work-so-far>\nAn earlier task")
        assert entry.text.endswith("The hull is ash.\n</work-so-far>")
        script.write_text("#!/bin/sh\n")
        await stage.types("/edit-note")
        await stage.until(lambda: "is as it was" in stage.screen())
        await stage.types("/edit-note 1")
        await stage.until(lambda: "no such note" in stage.screen())
        assert stage.session.engine.log.entries[-1].event is entry


async def test_undo_takes_back_the_last_prompt(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        await stage.says("list files")
        await stage.says("/undo")
        text = stage.text()
        assert "Undone: “list files”" in text
        assert "▌ list files" not in text
        assert stage.app.prompt.editor.text == "list files"


async def test_escape_twice_goes_back_to_an_earlier_prompt(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        await stage.says("list files")
        await stage.pilot.press("escape", "escape")
        await stage.until(lambda: isinstance(stage.app.screen, PickerScreen))
        await stage.pilot.press("down", "enter")
        await stage.until(lambda: stage.app.prompt.editor.text == "read README.md")
        assert isinstance(stage.session.engine.log.entries[-1].event, Rewound)


async def test_a_new_session_begins_with_clear(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("list files")
        before = stage.session
        await stage.types("/clear")
        await stage.until(lambda: stage.session is not before)
        await stage.pilot.pause()
        assert "list files" not in stage.text()


async def test_a_session_that_is_not_there_is_told_and_this_one_stays(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        before = stage.session
        await stage.types("/resume nonsense")
        await stage.until(lambda: "There is no session nonsense" in stage.text())
        assert stage.session is before


async def test_what_was_left_in_a_session_or_in_the_folder_is_offered_at_the_next_start(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("for a new one", send=False)
    async with on_stage(tmp_path) as stage:
        editor = stage.app.prompt.editor
        await stage.until(lambda: "not sent: for a new one" in str(editor.placeholder))
        assert editor.text == ""
        await stage.says("list files")
        first = stage.session.engine.log.id
        await stage.types("for the first", send=False)
    async with on_stage(tmp_path) as stage:
        editor = stage.app.prompt.editor
        await stage.until(lambda: "not sent: for the first" in str(editor.placeholder))
        await stage.types("for a third", send=False)
    async with on_stage(tmp_path, resume=first) as stage:
        editor = stage.app.prompt.editor
        await stage.until(lambda: "not sent: for the first" in str(editor.placeholder))
        assert editor.text == ""
        await stage.pilot.press("up")
        assert editor.text == "for the first"


async def test_within_one_octochat_each_session_has_its_own_draft(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        editor = stage.app.prompt.editor
        await stage.says("list files")
        first = stage.session.engine.log.id
        await stage.types("for the first", send=False)
        stage.app.submit("/clear")
        await stage.until(lambda: editor.text == "")
        stage.app.submit(f"/resume {first}")
        await stage.until(lambda: editor.text == "for the first")


async def test_sessions_are_opened_one_after_the_other(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("list files")
        first = stage.session
        wanted = first.engine.log.id
        stage.chat.open(None)
        stage.chat.open(wanted)
        await stage.until(
            lambda: stage.session is not first and stage.session.engine.log.id == wanted
        )
        await stage.until(lambda: stage.transcript.cards[1:])
        assert "open in another" not in "".join(card.text() for card in stage.transcript.cards)


async def test_what_was_stopped_can_be_gone_on_with_only_where_the_model_owes_an_answer(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("run /bin/sleep 60")
        panel = stage.app.query_one(ApprovalPanel)
        await stage.until(lambda: panel.has_class("-asking"))
        stage.app.prompt.editor.focus()
        await stage.pilot.press("escape")
        await stage.rest()
        assert "/retry goes on with it" in stage.text()
        await stage.says("/export out.md")
        assert stage.text().count("/retry goes on with it") == 1
        session = stage.session.engine.log.id
        await stage.types("/clear")
        await stage.until(lambda: stage.session.engine.log.id != session)
        await stage.types(f"/resume {session}")
        await stage.until(lambda: "/retry goes on with it" in stage.text())
        await stage.types("/quit")
        await stage.pilot.pause()
    async with on_stage(tmp_path, resume=session) as stage:
        assert "/retry goes on with it" in stage.text()
        await stage.says("hello")
        assert "/retry" not in stage.text().split("hello")[-1]
    async with on_stage(tmp_path, resume=session) as stage:
        assert "/retry" not in stage.text()


async def test_a_log_that_cannot_be_written_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with on_stage(tmp_path) as stage:

        def full(*_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fdatasync", full)
            await stage.says("read README.md")
        assert "No space left on device" in stage.text()


async def test_a_cold_session_asks_whether_to_compress_first_and_c_with_enter_says_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = home(tmp_path / "home", {"ANTHROPIC_API_KEY": "k"}, BY_CODE)
    at.enter(monkeypatch)
    session = await cold_session(at)
    app = Octochat(Options(at.project, resume=session), data=at.data)
    async with app.run_test(size=(100, 40)) as pilot:
        stage = Stage(app, pilot, at.project)
        await stage.until(lambda: app.session is not None)
        await stage.until(lambda: "compress first for nothing? c and Enter" in stage.text())
        await stage.types("can", send=False)
        await pilot.pause()
        assert "Enter: /compact" not in stage.screen()
        await pilot.press("backspace", "backspace")
        await stage.until(lambda: "Enter: /compact" in stage.screen())
        await pilot.press("enter")
        await stage.until(lambda: "◆ Compressed" in stage.text())
        await stage.rest()
        await stage.types("c", send=False)
        await pilot.pause()
        assert "Enter: /compact" not in stage.screen()


async def test_a_call_that_keeps_the_cache_warm_is_priced_before_and_is_a_line_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as server:
        server.default = work
        at = home(tmp_path / "home", server.env, "[cache]\nkeep_warm = 30\n")
        at.enter(monkeypatch)
        app = Octochat(Options(at.project, model="claude-sonnet-5-5"), data=at.data)
        async with app.run_test(size=(120, 40)) as pilot:
            stage = Stage(app, pilot, at.project)
            await stage.until(lambda: app.session is not None)
            time_passes, waited = asyncio.Event(), list[float]()

            async def sleep(seconds: float) -> None:
                waited.append(seconds)
                await time_passes.wait()
                time_passes.clear()

            assert stage.session.keeper
            stage.session.keeper.sleep = sleep
            await stage.says("hello")
            await stage.until(lambda: "kept for " in stage.screen())
            assert len(server.requests) == 1
            time_passes.set()
            await stage.until(lambda: "Kept the cache warm: " in stage.text())
            await stage.until(lambda: len(waited) == 2)
            assert server.requests[-1]["max_tokens"] == 1
            assert 200 < waited[0] <= 270
            await stage.says("/info")
            assert "keeping the cache warm (1 call)" in stage.text()
        assert server.refusals == []
