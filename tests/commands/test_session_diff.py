"""`/diff`: what the session changed, by file."""

from pathlib import Path

import pytest

from octochat.commands.session_diff import NOTHING, FileDiff, diff_text, net_changes, session_diff
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Replied, Returned
from tests.frontends.tui.stage import on_stage
from tests.offline_session import answered, at_home, opened

EDIT = "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n x = 1\n--- y\n+++ y\n"
"""A line `-- y` becomes `++ y`."""


def entries(*events: Event) -> list[Entry]:
    return [Entry(n, 0.0, 0, event) for n, event in enumerate(events, 1)]


def calling(call_id: str, tool: str, **arguments: object) -> Replied:
    return Replied((ToolCall(call_id, tool, arguments),))


LOG = entries(
    calling("1", "edit", file_path="/w/a.py", old_string="-- y", new_string="++ y"),
    Returned("1", (Text("done"),), diff=EDIT),
    calling("2", "write", file_path="new.py", content="one\ntwo\n"),
    Returned("2", (Text("done"),), note="new file"),
    calling("3", "edit", file_path="a.py", old_string="x", new_string="z"),
    Returned("3", (Text("no such text"),), failed=True),
    calling("4", "edit", file_path="./a.py", old_string="x = 1", new_string="x = 2"),
    Returned("4", (Text("done"),)),
    calling("5", "bash", command="rm b.py"),
    Returned("5", (Text("done"),)),
)


def test_all_changes_of_a_file_stand_under_its_name_and_failed_ones_nowhere() -> None:
    first, second = session_diff(LOG, "/w")
    assert (first.path, first.counts, len(first.diffs)) == ("a.py", (2, 2), 2)
    assert (second.path, second.counts) == ("new.py", (2, 0))


def test_as_text_it_has_files_counts_and_lines() -> None:
    told = diff_text(session_diff(LOG, "/w"))
    assert told.startswith("2 files\n\na.py  +2  −2  in 2 changes\n@@ -1,2 +1,2 @@\n")
    assert "\n--- y\n+++ y\n" in told
    assert "new.py  +2  −0\n" in told
    assert "\n+two" in told


def test_what_was_written_again_as_it_was_is_no_change() -> None:
    again = calling("1", "write", file_path="a", content="one\n")
    assert session_diff(entries(again, Returned("1", (Text("done"),))), "/w") == ()


def test_a_file_at_home_has_one_name() -> None:
    log = entries(
        calling("1", "write", file_path="~/n.md", content="x\n"),
        Returned("1", (Text("done"),), note="new file · in part"),
        calling("2", "edit", file_path=f"{Path.home()}/n.md", old_string="x", new_string="y"),
        Returned("2", (Text("done"),)),
    )
    (file,) = session_diff(log, "/w")
    assert (file.path, len(file.diffs)) == (f"{Path.home()}/n.md", 2)


def test_a_file_outside_of_the_working_folder_keeps_its_whole_path() -> None:
    file, *_ = session_diff(LOG, "/elsewhere/w")
    assert file.path == "/w/a.py"


async def changed_twice(tmp_path: Path, now: str | None) -> str:
    """What `/diff` says of a file of two lines that two edits changed, and that is as it is now."""
    with at_home(tmp_path) as work:
        session = opened(work)
        for name, changed in (("1", "-one\n+eins\n two"), ("2", " eins\n-two\n+zwei")):
            session.engine.append(calling(name, "edit", file_path="a.txt"))
            diff = f"--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n{changed}\n"
            session.engine.append(Returned(name, (Text("done"),), diff=diff))
        if now is not None:
            (work / "a.txt").write_text(now, "utf-8")
        said = diff_text(await net_changes(session))
        assert await answered(session, "/diff") == said
        await session.close()
    return said


async def test_what_several_changes_of_a_file_come_to_is_one_difference(tmp_path: Path) -> None:
    told = await changed_twice(tmp_path, "eins\nzwei\n")
    assert told.startswith("1 file\n\na.txt  +2  −2  in 2 changes\n")
    assert told.endswith("@@ -1,2 +1,2 @@\n-one\n-two\n+eins\n+zwei")


def test_a_file_that_is_as_it_was_says_so() -> None:
    assert diff_text([FileDiff("a.txt", (), 3)]) == "1 file\n\na.txt  as it was  after 3 changes"


async def test_a_file_that_has_changed_since_has_its_changes_one_by_one(tmp_path: Path) -> None:
    told = await changed_twice(tmp_path, "mine\n")
    assert "a.txt  +2  −2  in 2 changes, each by itself: the file has changed since\n" in told
    assert told.count("@@ -1,2 +1,2 @@") == 2


async def test_a_file_that_a_command_took_back_is_as_it_was(tmp_path: Path) -> None:
    told = await changed_twice(tmp_path, "one\ntwo\n")
    assert told == "1 file\n\na.txt  as it was  after 2 changes"


async def after_one_change(
    tmp_path: Path, tool: str, now: str | None, *, diff: str = "", note: str = ""
) -> str:
    """What `/diff` says of a file that was changed once, and that is as it is now."""
    with at_home(tmp_path) as work:
        session = opened(work)
        content = {"content": "one\n"} if tool == "write" else {}
        session.engine.append(calling("1", tool, file_path="a.txt", **content))
        session.engine.append(Returned("1", (Text("done"),), diff=diff, note=note))
        if now is not None:
            (work / "a.txt").write_text(now, "utf-8")
        said = diff_text(await net_changes(session))
        await session.close()
    return said


@pytest.mark.parametrize(
    ("now", "head"),
    [
        ("eins\ntwo\n", "a.txt  +1  −1\n"),
        ("one\ntwo\n", "a.txt  as it was  after 1 change"),
        ("mine\n", "a.txt  +1  −1  the file has changed since\n"),
        (None, "a.txt  +1  −1  the file is gone\n"),
    ],
)
async def test_a_single_change_too_is_held_against_the_file(
    tmp_path: Path, now: str | None, head: str
) -> None:
    diff = "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-one\n+eins\n two\n"
    told = await after_one_change(tmp_path, "edit", now, diff=diff)
    assert told.startswith(f"1 file\n\n{head}")


async def test_a_new_file_that_is_gone_again_has_no_lines(tmp_path: Path) -> None:
    told = await after_one_change(tmp_path, "write", None, note="new file")
    assert told == "1 file\n\na.txt  gone again  after 1 change"


async def test_a_change_too_long_to_compare_stands_as_it_was_kept(tmp_path: Path) -> None:
    long = "a.txt: 9,000 lines before, 9,001 after: too long to compare\n"
    told = await after_one_change(tmp_path, "edit", "one\n", diff=long)
    assert told.startswith("1 file\n\na.txt  +0  −0\n")


async def test_a_file_that_is_gone_has_its_changes_one_by_one(tmp_path: Path) -> None:
    assert "each by itself: the file is gone" in await changed_twice(tmp_path, None)


async def test_a_file_that_cannot_be_read_has_its_changes_one_by_one(tmp_path: Path) -> None:
    assert "each by itself: the file can't be read" in await changed_twice(tmp_path, "\0")


async def test_a_secret_in_the_file_is_not_shown(tmp_path: Path) -> None:
    key = "ghp_" + "a1" * 20
    told = await changed_twice(tmp_path, f"eins\nzwei\n{key}\n")
    assert "in 2 changes\n" in told
    assert key not in told


async def test_where_nothing_changed_that_is_said(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        assert await answered(session, "/diff") == NOTHING
        await session.close()


async def test_on_the_screen_it_is_a_card_with_the_lines(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        for entry in LOG:
            stage.session.engine.append(entry.event)
        (stage.folder / "new.py").write_text("one\ntwo\n", "utf-8")
        await stage.types("/diff")
        await stage.until(lambda: "new.py  +2  −0" in stage.text())
        assert "\n  /w/a.py  +1  −1  the file is gone\n" in stage.text()
        assert "2 + two" in stage.text()
