"""`octochat search` finds what was said in the sessions of this folder, or of all folders."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from octochat.cli.main import main
from tests.offline_session import at_home, opened, told


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    with at_home(tmp_path) as folder:
        yield folder


async def talked(folder: Path, words: str) -> str:
    session = opened(folder)
    await told(session, words)
    await session.close()
    return session.engine.log.id


async def test_it_tells_session_time_speaker_and_passage(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = await talked(work, "The server is called kestrel.")
    (work / "elsewhere").mkdir()
    there = await talked(work / "elsewhere", "I saw a kestrel.")
    assert main(["search", "kestrels"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{here}  just now  The server is called kestrel.  ({work})\n")
    assert "\n  #2     you, just now: The server is called kestrel.\n" in text
    assert there not in text
    assert main(["search", "--everywhere", "kestrels"]) == 0
    text = capsys.readouterr().out
    assert here in text
    assert there in text


async def test_it_tells_the_same_to_programs(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = await talked(work, "The server is called kestrel.")
    assert main(["search", "--json", "kestrel"]) == 0
    (session,) = json.loads(capsys.readouterr().out)["sessions"]
    assert (session["session_id"], session["folder"]) == (here, str(work))
    passage = session["passages"][0]
    assert (passage["entry"], passage["who"]) == (2, "person")
    assert passage["text"] == passage["excerpt"] == "The server is called kestrel."


async def test_what_is_not_found_is_told_on_stderr_and_by_the_exit_code(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await talked(work, "The server is called kestrel.")
    assert main(["search", "osprey"]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "Not found in 1 session.\n")


def test_without_words_it_says_how_to_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["search"])
    assert ended.value.code == 2
    assert "usage: octochat search" in capsys.readouterr().err
