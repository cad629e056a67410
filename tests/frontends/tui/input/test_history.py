"""What was sent before, and what is not sent yet: history, search, drafts."""

import asyncio
import errno
import os
from pathlib import Path

import pytest
from textual import events
from textual.widget import Widget

from octochat.frontends.shared.drafts import Attached, Draft, DraftFile, Unsent
from octochat.frontends.shared.history import LONGEST, History
from octochat.frontends.tui.input.autosave import AFTER, Autosave
from octochat.frontends.tui.input.history_search import HistorySearch
from octochat.frontends.tui.input.prompt import PromptInput
from tests.frontends.tui.input.test_prompt import BIG, sent, stage
from tests.frontends.tui.widget_stage import ready
from tests.waiting import soon, until


async def test_up_and_down_walk_the_history_and_come_back_to_the_draft(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"one", "enter", *"two", "enter", *"dra")
        await pilot.press("up")
        assert one.editor.text == "two"
        await pilot.press("up", "up")
        assert one.editor.text == "one"
        await pilot.press("down", "down")
        assert one.editor.text == "dra"


@pytest.mark.parametrize("keys", [("up", "x"), ("up", "enter"), ("up",), ("ctrl+r", "enter")])
async def test_a_draft_that_was_left_for_the_history_comes_into_it(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    History(tmp_path / "history.jsonl").add(Draft("old"))
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"half", *keys)
        await until(pilot, lambda: one.editor.text != "half" and not one.query(HistorySearch))
    history = History(tmp_path / "history.jsonl")
    history.load()
    assert "half" in [line.draft.text for line in history.sent]


async def test_up_inside_a_text_moves_the_cursor_first(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"old", "enter", "a", "ctrl+j", "b", "up")
        assert one.editor.text == "a\nb"
        await pilot.press("up")
        assert one.editor.text == "old"


async def test_another_session_finds_what_was_sent_with_ctrl_r(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"fix the parser", "enter", *"run tests", "enter")
        await pilot.pause()
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("d", "ctrl+r", *"pars")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert one.editor.text == "fix the parser"
        assert one.editor.has_focus
        assert sent(app) == []


async def test_the_search_opens_once_however_often_it_is_asked_for(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("ctrl+r")
        one.editor.focus()
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert len(one.query(HistorySearch)) == 1


async def test_escape_leaves_the_search_and_the_draft_as_it_was(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("d", "ctrl+r", "x", "escape")
        await pilot.pause()
        assert one.editor.text == "d"
        assert one.editor.has_focus
        assert not app.of(PromptInput.Interrupt)


async def test_what_another_has_left_is_offered_with_its_pastes_and_its_queue(
    tmp_path: Path,
) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press(*"later", "enter", *"half")
        one.editor.post_message(events.Paste(BIG))
        await pilot.pause()
    file = DraftFile(tmp_path / "drafts" / "s1.json").path.rename(tmp_path / "left.json")
    app, one = stage(tmp_path, left=[DraftFile(file)])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: later half" in str(one.editor.placeholder))
        assert one.editor.text == ""
        assert not file.exists()
        await pilot.press("up")
        assert one.editor.text == "later\nhalf[pasted 120 lines #1]"
        assert one.editor.draft.whole() == f"later\nhalf{BIG}"
        await pilot.press("ctrl+c")
        assert "not sent" not in str(one.editor.placeholder)


async def test_what_was_left_and_is_too_long_for_the_history_is_offered(tmp_path: Path) -> None:
    file = DraftFile(tmp_path / "left.json")
    file.save(Unsent(Draft("w " * LONGEST)))
    app, one = stage(tmp_path, left=[file])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: w w w" in str(one.editor.placeholder))
        assert one.editor.text == ""
        await pilot.press("up")
        assert one.editor.draft.whole() == "w " * LONGEST


async def test_output_that_was_left_is_offered_until_it_is_taken(tmp_path: Path) -> None:
    ran = Attached("! ls", "a b")
    left = DraftFile(tmp_path / "left.json")
    left.save(Unsent(Draft(along=(ran,))))
    own = DraftFile(tmp_path / "drafts" / "s1.json")
    app, one = stage(tmp_path, left=[left])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: ! ls" in str(one.editor.placeholder))
        assert one.drafts.here == Draft()
    assert (left.load(), own.load().whole.along) == (Unsent(), (ran,))
    left = DraftFile(own.path.rename(tmp_path / "again.json"))
    app, one = stage(tmp_path, left=[left])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: ! ls" in str(one.editor.placeholder))
        await pilot.press("up")
        assert one.drafts.here == Draft(along=(ran,))
        assert "not sent" not in str(one.editor.placeholder)
        await pilot.press("backspace")
    assert own.load() == Unsent()


def left_behind(folder: Path, *drafts: Draft) -> list[DraftFile]:
    """Files with what other octochats have left."""
    files = [DraftFile(folder / f"left-{n}.json") for n, _ in enumerate(drafts)]
    for file, draft in zip(files, drafts, strict=True):
        file.save(Unsent(draft))
    return files


RAN = Attached("! pytest", "1 failed")


async def test_what_goes_along_with_a_recalled_draft_goes_when_another_is_shown(
    tmp_path: Path,
) -> None:
    History(tmp_path / "history.jsonl").add(Draft("old"))
    app, one = stage(tmp_path, left=left_behind(tmp_path, Draft("mend it", along=(RAN,))))
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: mend it" in str(one.editor.placeholder))
        own = Attached("! ls", "a b")
        one.attach(own)
        await pilot.press("up")
        assert one.drafts.here == Draft("mend it", along=(own, RAN))
        await pilot.press("up")
        assert one.drafts.here == Draft("old", along=(own,))
        await pilot.press("down")
        assert one.drafts.here == Draft("mend it", along=(own, RAN))
        await pilot.press("down")
        assert one.drafts.here == Draft(along=(own,))
        await pilot.press("up", "!")
        assert one.clear()
        assert one.drafts.here == Draft(along=(own,))
        await pilot.press("up")
        assert one.drafts.here == Draft("mend it!", along=(own, RAN))


async def test_the_search_brings_back_what_goes_along(tmp_path: Path) -> None:
    app, one = stage(tmp_path, left=left_behind(tmp_path, Draft("mend it", along=(RAN,))))
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: mend it" in str(one.editor.placeholder))
        await pilot.press("ctrl+r", "enter")
        await until(pilot, lambda: one.editor.text)
        assert one.drafts.here == Draft("mend it", along=(RAN,))
        await pilot.press("enter")
        await pilot.pause()
        assert [message.along for message in app.of(PromptInput.Submitted)] == [("1 failed",)]


async def test_blank_drafts_are_not_offered(tmp_path: Path) -> None:
    blank, ran = left_behind(tmp_path, Draft(" \n "), Draft("  ", along=(RAN,)))
    app, one = stage(tmp_path, left=[blank])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: not blank.path.exists())
        assert one.drafts.offer_words == ""
        one.drafts.offer(ran)
        assert one.drafts.offer_words == RAN.label


async def test_what_is_offered_is_said_in_the_session_that_it_was_offered_in_and_no_other(
    tmp_path: Path,
) -> None:
    app, one = stage(tmp_path, left=left_behind(tmp_path, Draft(along=(RAN,))))
    first, second = (DraftFile(tmp_path / "drafts" / f"s{n}.json") for n in (1, 2))
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: one.drafts.offer_words == RAN.label)
        one.drafts.open(second)
        assert one.drafts.offer_words == ""
        await pilot.press("x")
        one.drafts.open(first)
        assert one.drafts.offer_words == RAN.label
        assert one.drafts.here == Draft()
    assert first.load().whole == Draft(along=(RAN,))
    assert second.load().whole == Draft("x")


async def test_a_disk_that_takes_nothing_is_said_once_and_what_was_left_stays(
    tmp_path: Path,
) -> None:
    (tmp_path / "drafts").write_text("a file where the folder should be")
    (tmp_path / "history.jsonl").mkdir()
    (left,) = left_behind(tmp_path, Draft("half"))
    app, one = stage(tmp_path, left=[left])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: half" in str(one.editor.placeholder))
        await pilot.press("a", "enter", "b", "enter")
        await pilot.pause()
        history, drafts = (message.text for message in app.of(PromptInput.Trouble))
        assert history.startswith("The input history can't be written: ")
        assert drafts.startswith("Drafts can't be saved: ")
        await pilot.press("up")
        assert one.editor.text == "half"
    assert left.load().draft.text == "half"


async def test_a_draft_that_cannot_be_taken_out_of_its_file_is_said_and_offered(
    tmp_path: Path,
) -> None:
    class Stuck(DraftFile):
        """A file on a disk that can only be read."""

        def save(self, unsent: Unsent) -> None:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    (left,) = left_behind(tmp_path, Draft("half"))
    app, one = stage(tmp_path, left=[Stuck(left.path)])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await until(pilot, lambda: "not sent: half" in str(one.editor.placeholder))
        (trouble,) = app.of(PromptInput.Trouble)
        assert "Read-only file system" in trouble.text


async def test_backspace_with_nothing_to_take_off_writes_nothing(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    (tmp_path / "drafts" / "s1.json").mkdir(parents=True)  # nothing can be written or removed here
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("backspace")
        over = asyncio.Event()
        one.set_timer(AFTER, over.set)  # it goes off behind one that Backspace had set
        await soon(over.wait())
        assert not app.of(PromptInput.Trouble)


async def test_what_is_cleared_is_the_newest_of_the_history(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"sent", "enter", *"half")
        assert one.clear()
        assert one.editor.text == ""
        assert "↑ brings it back" in str(one.frame.border_subtitle)
        await pilot.press("up")
        assert one.editor.text == "half"
        assert "brings" not in str(one.frame.border_subtitle)
        await pilot.press("up", "down", "down")
        assert one.editor.text == ""
        assert not one.clear()


async def test_the_search_is_left_from_outside_and_the_draft_stays(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        assert not one.leave_search()
        await pilot.press(*"half", "ctrl+r")
        assert one.leave_search()
        await until(pilot, lambda: not one.query(HistorySearch))
        assert one.editor.text == "half"


async def test_the_draft_is_on_disk_while_the_program_runs(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"half")
        file = DraftFile(tmp_path / "drafts" / "s1.json")
        await until(pilot, lambda: file.load().draft.text == "half")
        assert file.path.stat().st_mode & 0o777 == 0o600


async def test_sessions_have_drafts_of_their_own(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"here")
        one.drafts.open(DraftFile(tmp_path / "drafts" / "s2.json"))
        assert one.editor.text == ""
        await pilot.press(*"there")
        one.drafts.open(DraftFile(tmp_path / "drafts" / "s1.json"))
        assert one.editor.text == "here"


async def test_a_draft_that_cannot_be_saved_is_said(tmp_path: Path) -> None:
    (tmp_path / "drafts").write_text("a file where the folder should be")
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("a")
        await until(pilot, lambda: app.of(PromptInput.Trouble))
        assert "draft" in app.of(PromptInput.Trouble)[0].text


def test_that_a_draft_cannot_be_saved_is_said_once_until_it_can(tmp_path: Path) -> None:
    said: list[str] = []
    file = DraftFile(tmp_path / "drafts" / "s1.json")
    saved = Autosave(Widget(), file, lambda: Unsent(Draft("half")), said.append)
    file.path.parent.write_text("a file where the folder should be")
    saved.now()
    saved.now()
    assert len(said) == 1
    file.path.parent.unlink()
    saved.now()
    file.path.unlink()
    file.path.mkdir()
    saved.now()
    assert len(said) == 2


async def test_the_history_is_shared_and_private(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"secret", "enter")
        await pilot.pause()
    path = tmp_path / "history.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    history = History(path)
    history.load()
    assert [line.draft.text for line in history.sent] == ["secret"]
