"""A whole session in the seat, and what the check says of its folder."""

import asyncio
import io
import json
from contextlib import aclosing
from pathlib import Path

import pytest

from octochat.commands.execute import execute, understood
from octochat.frontends.headless import run
from octochat.permissions.ask import Headless
from octochat.session.build import open_session
from octochat.session.options import Options
from octochat.session.session import Session
from tests.e2e.answers import summary
from tests.e2e.home import EAGER, home
from tests.offline_session import at_home
from tests.seat.check import check, main, report
from tests.seat.sitter import seated, sit
from tests.waiting import soon

READ = '```tool read\n{"file_path": "a.txt"}\n```'


async def played(folder: Path, *lines: str) -> str:
    """What a session in a fresh home prints whose model answers these lines."""
    with at_home(folder) as work, seated(folder / "seat") as seat:
        (work / "a.txt").write_text("BERYL\n" * 40)
        session = open_session(Options(work, model="seat"), Headless())
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        try:
            saying = run(session, "What is in a.txt?", "text", out, io.StringIO())
            await soon(asyncio.gather(saying, sit(seat, *lines)))
            assert session.engine.state.ledger.total_cost > 0
        finally:
            await session.close()
        out.seek(0)
        return out.read()


async def test_a_session_is_played_and_every_request_keeps_the_rules(tmp_path: Path) -> None:
    assert await played(tmp_path, READ, "It says BERYL.") == "It says BERYL.\n"
    first, second = check(tmp_path / "seat")
    assert (first.violation, second.violation) == ("", "")
    assert first.fixed == second.fixed > 500
    assert (first.tool_output, second.tool_output > 40) == (0, True)
    assert first.model == "claude-sonnet-5-5"
    assert second.dollars < first.dollars


async def test_the_check_finds_what_the_api_would_refuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await played(tmp_path, "hello")
    assert main([str(tmp_path / "seat")]) == 0
    assert "refused by rules   0" in capsys.readouterr().out
    path = tmp_path / "seat" / "0001.request.json"
    sent = json.loads(path.read_text())
    path.write_text(json.dumps({**sent, "temperature": 1}))
    assert main([str(tmp_path / "seat")]) == 1
    assert "REFUSED: `temperature` is deprecated" in capsys.readouterr().out
    assert main([str(tmp_path)]) == 2


async def test_notes_are_written_in_the_seat_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def line(news: str) -> str:
        asked = "should_compress" in news
        return json.dumps(summary(should=True)) if asked else "We looked at table 42. " * 400

    at = home(tmp_path / "someone", config=EAGER)
    at.enter(monkeypatch)
    with seated(tmp_path / "seat") as seat:
        session = at.open(model="seat")
        async with asyncio.TaskGroup() as tasks:
            sitter = tasks.create_task(sit(seat, *(line for _ in range(100))))
            for number in range(5):
                await soon(answered(session, f"step {number}"))
            sitter.cancel()
        await session.close()
    requests = check(seat)
    assert [each.violation for each in requests if each.violation] == []
    assert "claude-haiku-5-5" in {each.model for each in requests}
    assert len(requests[-1].notes) == 1
    assert f"notes (folds)      {len({n for each in requests for n in each.notes})}" in "\n".join(
        report(requests)
    )


async def answered(session: Session, prompt: str) -> None:
    async with aclosing(execute(session, understood(prompt))) as stream:
        async for _ in stream:
            pass
