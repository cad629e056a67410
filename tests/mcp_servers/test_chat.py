"""`/mcp`, `/context` and prompts of a real server, and a session without any."""

from pathlib import Path

import pytest

from octochat.commands.attachments import read_attachments
from octochat.commands.base import Report
from octochat.commands.execute import execute, understood
from octochat.context.session.content import plain_text
from octochat.context.session.events import Entry, Prompted
from octochat.session.session import Session
from tests.e2e.home import home
from tests.mcp_servers.server import MORE
from tests.mcp_servers.serving import stdio
from tests.waiting import soon


async def told(session: Session, text: str) -> list[object]:
    return [item async for item in execute(session, understood(text, session))]


async def test_servers_are_listed_with_their_price_and_their_prompts_are_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = '[mcp_servers.gone]\ncommand = "no-such-program-here"\n'
    place = home(tmp_path, {}, f"{stdio('git', 3)}\n{missing}")
    place.enter(monkeypatch)
    session = place.open(model="offline")
    assert session.servers
    await soon(session.servers.settled(60))
    for command in ("/mcp", "/context"):
        (report,) = await told(session, command)
        assert isinstance(report, Report)
        assert "never used" in report.text
        assert f"ready, {3 + MORE} tools" in report.text
        assert "gone" in report.text
        assert "failed: " in report.text
        assert "PYTHONPATH hidden" in report.text
    (refused,) = await told(session, "/mcp__git__review")
    assert isinstance(refused, Report)
    assert refused.text == "Usage: /mcp__git__review WHAT [HOW]"
    items = await told(session, "/mcp__git__review it 'very well'")
    said = [i.event for i in items if isinstance(i, Entry) and isinstance(i.event, Prompted)]
    assert plain_text(said[0].blocks) == "Review it very well."
    along = await read_attachments(session, ["git:note://today", "other:note://today"])
    assert plain_text(along.blocks) == "[resource note://today]\ntests, tests, tests"
    assert along.troubles == ()
    wrong = await read_attachments(session, ["git:note://none"])
    assert "The resource was not sent." in wrong.troubles[0]
    await session.close()


async def test_a_session_without_servers_declares_nothing_and_says_how_to_add_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = home(tmp_path)
    place.enter(monkeypatch)
    session = place.open(model="offline")
    (report,) = await told(session, "/mcp")
    assert isinstance(report, Report)
    assert "[mcp_servers.NAME]" in report.text
    await told(session, "hello")
    assert "find_tools" not in {tool.name for tool in session.engine.state.view.tools}
    await session.close()
