from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from octochat.commands.base import Report, Switched
from octochat.commands.sessions import listing
from octochat.context.session.content import Text, plain_text
from octochat.context.session.events import Opened, Prompted, Replied, Titled, Usage
from octochat.context.session.state import replay
from octochat.session.session import Session
from octochat.storage import sessions
from octochat.storage.log import LogError
from tests.offline_session import answered, at_home, opened, told


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    with at_home(tmp_path) as folder:
        yield folder


async def switched(session: Session, words: str) -> Switched:
    items = await told(session, words)
    assert len(items) == 1
    assert isinstance(items[0], Switched)
    return items[0]


async def talked(work: Path, *words: str) -> Session:
    session = opened(work)
    for each in words:
        await told(session, each)
    return session


async def test_a_fork_of_it_all_stands_where_the_session_stands(work: Path) -> None:
    session = await talked(work, "read it.txt", "count to 3")
    session.engine.append(Replied((Text("dear"),), usage=Usage(output=9, fresh=70), cost=0.5))
    fork = await switched(session, "/fork")
    assert fork.session
    assert fork.session in fork.text
    other = opened(work, fork.session)
    mine, theirs = session.engine.state, other.engine.state
    assert theirs.view == mine.view
    assert theirs.context == mine.context
    assert theirs.ledger.calls == mine.ledger.calls
    assert (mine.ledger.total_cost, theirs.ledger.total_cost) == (0.5, 0.0)
    assert theirs.title == "Fork of read it.txt"
    first = other.engine.log.entries[0].event
    assert isinstance(first, Opened)
    assert first.origin == session.engine.log.id
    await other.close()
    await session.close()


async def test_a_fork_before_a_prompt_ends_there_and_hands_its_words_back(work: Path) -> None:
    session = await talked(work, "count to 2", "count to 3")
    number = [e.id for e in session.engine.log.entries if isinstance(e.event, Prompted)][-1]
    fork = await switched(session, f"/fork {number}")
    assert fork.draft == "count to 3"
    other = opened(work, fork.session)
    entries = [e for e in other.engine.log.entries if not isinstance(e.event, Titled)]
    assert replace(replay(entries), title="") == replay(
        [replace(e, event=entries[0].event) if e.id == 1 else e for e in entries]
    )
    assert [plain_text(e.event.blocks) for e in entries if isinstance(e.event, Prompted)] == [
        "count to 2"
    ]
    await told(other, "count to 4")
    assert len(session.engine.log.entries) == number + 1, "the original is as it was"
    await other.close()
    await session.close()


async def test_a_fork_of_a_fork_is_called_after_the_first_session(work: Path) -> None:
    session = await talked(work, "count to 2")
    other = opened(work, (await switched(session, "/fork")).session)
    third = opened(work, (await switched(other, "/fork")).session)
    assert third.engine.state.title == "Fork of count to 2"
    for each in (third, other, session):
        await each.close()


async def test_a_wrong_number_lists_the_prompts_that_were_not_undone(work: Path) -> None:
    session = await talked(work, "count to 2", "count to 3", "/undo")
    text = await answered(session, "/fork 99")
    assert "count to 2" in text
    assert "count to 3" not in text
    assert list(sessions.sessions_folder().glob("*.part")) == []
    assert len(list(sessions.by_time())) == 1
    await session.close()


async def test_a_fork_that_can_not_be_written_is_told_and_leaves_nothing(work: Path) -> None:
    session = await talked(work, "count to 2")
    folder = sessions.sessions_folder()
    taken = set(folder.iterdir())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.link", _refuse)
        assert "can't be written" in await answered(session, "/fork")
    assert set(folder.iterdir()) == taken
    await session.close()


def _refuse(*_: object) -> None:
    raise PermissionError(13, "Permission denied")


async def test_with_nothing_said_there_is_nothing_to_fork(work: Path) -> None:
    session = opened(work)
    assert "nothing to fork" in await answered(session, "/fork")
    await session.close()


async def test_clear_switches_to_a_new_session_and_names_the_old_one(work: Path) -> None:
    session = await talked(work, "count to 2")
    found = await switched(session, "/clear")
    assert (found.session, found.draft) == (None, "")
    assert session.engine.log.id in found.text
    await session.close()


async def test_search_finds_words_in_all_sessions_tool_output_included(work: Path) -> None:
    (work / "poem.txt").write_text("one\nthe Walrus and the carpenter\n")
    first = await talked(work, "read poem.txt")
    second = await talked(work, "count to 2")
    text = await answered(second, "/search carpenters AND")
    assert first.engine.log.id in text
    assert "read poem.txt" in text
    assert "a tool (poem.txt), just now: one the Walrus and the carpenter" in text
    assert second.engine.log.id not in text
    await first.close()
    await second.close()


async def test_search_does_not_find_the_system_prompt(work: Path) -> None:
    session = await talked(work, "count to 2")
    assert "Not found in 1 session." in await answered(session, "/search Working folder:")
    await session.close()


async def test_search_passes_over_broken_lines_and_says_when_it_was_cut(work: Path) -> None:
    session = await talked(work, "count to 2 marmots")
    (sessions.sessions_folder() / "bad.jsonl").write_text('{"octochat": 1}\n{"event": marmots\n3\n')
    assert session.engine.log.id in await answered(session, "/search marmots")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("octochat.memory.all_sessions.SESSIONS", 1)
        text = await answered(session, "/search nowhere to be found")
    assert "only the newest" in text
    await session.close()


async def test_search_finds_quotes_and_letters_beyond_ascii(work: Path) -> None:
    session = await talked(work, 'say "Grüße" twice')
    assert "Grüße" in await answered(session, '/search "GRÜ"')
    await session.close()


async def test_export_writes_all_that_was_said_and_done_and_overwrites_nothing(work: Path) -> None:
    (work / "it.txt").write_text("inside\n```\n")
    session = await talked(work, "read it.txt", "count to 3", "/undo", "/done")
    session.engine.append(Replied((Text("half"),), "interrupted", thought="Is it so?"))
    text = await answered(session, "/export out.md")
    path = work / "out.md"
    assert str(path) in text
    written = path.read_text()
    assert written.startswith("# read it.txt\n")
    assert "**Tool call** `read`" in written
    assert "````\n" in written, "the fence is longer than the one in the file"
    assert "Task done" in written
    assert "> Compressed: " in written
    assert "count to 3" not in written
    assert "> *Thinking:* Is it so?\n\nhalf\n" in written
    assert "*Undone: what followed" in written
    assert "exists; name another" in await answered(session, "/export out.md")
    assert path.read_text() == written
    await session.close()


async def test_export_takes_a_file_name_and_tells_what_can_not_be_written(work: Path) -> None:
    session = await talked(work, "count to 2")
    assert str(work / "mine.md") in await answered(session, "/export mine.md")
    assert (work / "mine.md").exists()
    said = await answered(session, "/export no/such/folder/x.md")
    assert said == f"There is no folder {work / 'no/such/folder'}; make it, or name another file."
    (work / "closed").touch()
    assert "There is no folder" in await answered(session, "/export closed/x.md")
    await session.close()


@pytest.mark.parametrize(
    ("said", "name"),
    [("sub/../out.md", "out.md"), ('"my notes.md"', "my notes.md"), ("it's 'so'", "it's 'so'")],
)
async def test_export_reads_a_path_as_a_shell_does(work: Path, said: str, name: str) -> None:
    session = await talked(work, "count to 2")
    (work / "sub").mkdir()
    assert await answered(session, f"/export {said}") == f"Exported to {work / name}"
    assert (work / name).exists()
    await session.close()


async def test_export_asks_where_and_proposes_a_file(work: Path) -> None:
    session = await talked(work, "count to 2")
    (asked,) = await told(session, "/export")
    assert isinstance(asked, Report)
    assert asked.draft == f"/export octochat-{session.engine.log.id}.md"
    assert not (work / asked.draft.removeprefix("/export ")).exists()
    await session.close()


async def test_an_export_is_for_its_owner_and_drives_no_terminal(work: Path) -> None:
    (work / "it.txt").write_text("\x1b[31mred\n")
    session = await talked(work, "read it.txt")
    await answered(session, "/export out.md")
    assert (work / "out.md").stat().st_mode & 0o777 == 0o600
    assert "\x1b" not in (work / "out.md").read_text()
    assert "red" in (work / "out.md").read_text()
    await session.close()


async def test_show_gives_an_entry_in_full_and_nothing_that_drives_a_terminal(work: Path) -> None:
    (work / "long.txt").write_text("first\n" + "x" * 500 + "\x1b[31m\nlast\n")
    session = await talked(work, "read long.txt")
    number = next(
        e.id for e in session.engine.log.entries if e.event.__class__.__name__ == "Returned"
    )
    text = await answered(session, f"/show #{number}")
    assert "x" * 500 in text
    assert "\x1b" not in text
    assert "Usage" in await answered(session, "/show 999")
    await session.close()


async def test_a_name_given_is_what_lists_show(work: Path) -> None:
    session = await talked(work, "count to 2")
    assert sessions.listed()[0].title == "count to 2"
    await told(session, "/rename  The great\tcount ")
    assert sessions.listed()[0].title == "The great count"
    assert isinstance((await told(session, "/rename"))[0], Report)
    await session.close()


async def test_one_turn_is_listed_as_one(work: Path) -> None:
    session = await talked(work, "count to 2")
    assert " 1 turn    $0.000  count to 2" in listing()
    await told(session, "count to 3")
    assert " 2 turns    $0.000  count to 2" in listing()
    await session.close()


async def test_an_open_session_can_be_searched_and_exported_but_not_opened_twice(
    work: Path,
) -> None:
    session = await talked(work, "count to 2")
    with pytest.raises(LogError, match="open in another"):
        opened(work, session.engine.log.id)
    await session.close()
