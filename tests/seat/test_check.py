"""A whole session in the seat, and what the check says of its folder."""

import asyncio
import io
import json
from pathlib import Path

import pytest

from octochat.frontends.headless import run
from octochat.permissions.ask import Headless
from octochat.session.build import open_session
from octochat.session.options import Options
from tests.offline_session import at_home
from tests.seat.check import check, main
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
