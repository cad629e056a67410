"""`/remember`: what it shows, what it writes, and where."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from octochat.commands.base import Refused
from octochat.context.session.events import Instructed
from tests.e2e.home import home
from tests.offline_session import answered, at_home, opened, told


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    with at_home(tmp_path) as folder:
        yield folder


async def test_each_file_is_shown_before_one_is_written(work: Path) -> None:
    (work.parent / ".git").mkdir()
    (work / "CLAUDE.md").write_text("- Be kind.")
    session = opened(work)
    (shown,) = await told(session, "/remember Use tabs.")
    assert isinstance(shown, Refused)
    assert shown.text.splitlines() == [
        "Nothing is written yet. Which file?",
        "",
        "/remember --project",
        "--- /dev/null",
        f"+++ {work.parent}/AGENTS.md",
        "@@ -0,0 +1 @@",
        "+- Use tabs.",
        "",
        "/remember --folder",
        f"--- {work}/CLAUDE.md",
        f"+++ {work}/CLAUDE.md",
        "@@ -1 +1,2 @@",
        "-- Be kind.",
        "\\ No newline at end of file",
        "+- Be kind.",
        "+- Use tabs.",
        "",
        "/remember --mine",
        "--- /dev/null",
        f"+++ {work.parent}/config/octochat/AGENTS.md",
        "@@ -0,0 +1 @@",
        "+- Use tabs.",
    ]
    assert (work / "CLAUDE.md").read_text() == "- Be kind."
    said = await answered(session, "/remember --folder")
    assert "+- Use tabs." in said
    assert said.endswith(f"Written to {work}/CLAUDE.md. The model is told with your next message.")
    assert (work / "CLAUDE.md").read_text() == "- Be kind.\n- Use tabs.\n"
    (again,) = await told(session, "/remember --folder")
    assert isinstance(again, Refused)
    await session.close()


async def test_the_model_hears_of_it_with_the_next_prompt(work: Path) -> None:
    session = opened(work)
    await answered(session, "/remember --folder Use tabs.")
    await told(session, "hello")
    (event,) = [e.event for e in session.engine.log.entries if isinstance(e.event, Instructed)]
    assert (event.file, event.now, event.change) == ("AGENTS.md", "- Use tabs.", "added")
    await session.close()


async def test_line_ends_and_a_mark_stay_and_lines_belong_to_one_item(work: Path) -> None:
    (work / "AGENTS.md").write_bytes(b"\xef\xbb\xbfone\r\n")
    session = opened(work)
    await answered(session, "/remember --folder first\n  second")
    assert (work / "AGENTS.md").read_bytes() == b"\xef\xbb\xbfone\r\n- first\r\n  second\r\n"
    await session.close()


async def test_a_link_out_of_the_project_is_not_written_through(work: Path) -> None:
    elsewhere = work.parent / "elsewhere.md"
    elsewhere.write_text("mine\n")
    (work / "AGENTS.md").symlink_to(elsewhere)
    session = opened(work)
    (shown,) = await told(session, "/remember Use tabs.")
    assert isinstance(shown, Refused)
    assert "can't be written: " in shown.text
    (said,) = await told(session, "/remember --project")
    assert isinstance(said, Refused)
    assert said.text.endswith("AGENTS.md is a link to outside the project")
    assert elsewhere.read_text() == "mine\n"
    await session.close()


async def test_what_can_not_be_written_is_said_and_nothing_is_lost(work: Path) -> None:
    os.mkfifo(work / "AGENTS.md")
    session = opened(work)
    (said,) = await told(session, "/remember --folder Use tabs.")
    assert isinstance(said, Refused)
    assert said.text.startswith("Nothing was written: ")
    assert "not a regular file" in said.text
    (usage,) = await told(session, "/remember")
    assert isinstance(usage, Refused)
    assert usage.text.startswith("What is to be remembered?")
    await session.close()


def test_without_a_person_the_file_must_be_named(tmp_path: Path) -> None:
    at = home(tmp_path)
    ran = at.run("--model", "offline", "-p", "/remember Use tabs.")
    assert ran.returncode == 2
    assert b"/remember --folder" in ran.stderr or b"/remember --project" in ran.stderr
    assert not (at.project / "AGENTS.md").exists()
    ran = at.run("--model", "offline", "-p", "/remember --project Use tabs.")
    assert ran.returncode == 0
    assert (at.project / "AGENTS.md").read_text() == "- Use tabs.\n"
