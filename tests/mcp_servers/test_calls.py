"""What real servers do during a call: docs/mcp.md#results, docs/mcp.md#when-a-server-fails."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from octochat.commands.base import Shown
from octochat.context.session.events import ToolsChanged
from octochat.models.port import ToolOutput
from tests.mcp_servers.server import HUGE
from tests.mcp_servers.serving import http, serving, stdio
from tests.mcp_servers.talk import OLDER, Yes, talking
from tests.waiting import soon


async def test_what_a_server_asks_is_answered_from_the_chat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with talking(tmp_path, monkeypatch, stdio("git", 1)) as talk:
        talk.servers.questions.answered = True
        asked, told = asyncio.Event(), list[str]()

        def seen(item: Shown) -> None:
            if isinstance(item, ToolOutput):
                told.append(item.text)
                asked.set()

        calling = asyncio.ensure_future(talk.calls("git", "ask", seen))
        await soon(asked.wait())
        how = "/mcp answer git shows what, /mcp decline git says no."
        assert told == [f"git asks: Which branch? {how}\n"]
        shown = await talk.reads("/mcp answer git")
        assert "branch: " in shown
        assert "tries: " in shown
        assert "does not ask for colour" in await talk.reads("/mcp answer git colour=red")
        assert "invalid literal" in await talk.reads("/mcp answer git branch=main tries=many")
        assert await talk.reads("/mcp answer git branch=main tries=3") == "git was told."
        assert await soon(calling) == "accept branch='main' tries=3"
        assert await talk.reads("/mcp answer git branch=main") == "git asks nothing."


@pytest.mark.parametrize("somebody", [True, False])
async def test_who_declines_and_who_is_not_there_says_no(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, somebody: bool
) -> None:
    async with talking(tmp_path, monkeypatch, stdio("git", 1)) as talk:
        talk.servers.questions.answered = somebody
        asked = asyncio.Event()

        def seen(item: Shown) -> None:
            if isinstance(item, ToolOutput):
                asked.set()

        calling = asyncio.ensure_future(talk.calls("git", "ask", seen))
        if somebody:
            await soon(asked.wait())
            assert await talk.reads("/mcp decline git") == "git was told no."
        assert await soon(calling) == "decline"
        assert asked.is_set() == somebody


async def test_the_time_that_a_person_takes_is_not_the_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = 'timeout = "1s"'
    config = stdio("git", 1, short) + stdio("slow", 1, short)
    async with talking(tmp_path, monkeypatch, config) as talk:
        talk.servers.questions.answered = True
        asked = asyncio.Event()

        def seen(item: Shown) -> None:
            if isinstance(item, ToolOutput):
                asked.set()

        calling = asyncio.ensure_future(talk.calls("git", "ask", seen))
        await soon(asked.wait())
        tool = talk.servers.tool("mcp__slow__hang")
        assert tool
        with pytest.raises(Exception, match="gave no answer within 1s"):  # so long it takes
            await soon(talk.servers.call(tool, {}, lambda _: None))
        await talk.reads("/mcp answer git branch=main")
        assert await soon(calling) == "accept branch='main' tries=1"


async def test_progress_is_shown_and_who_stops_a_call_stops_it_in_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving("web", 1) as url:
        config = stdio("git", 1) + http("web", url)
        async with talking(tmp_path, monkeypatch, config) as talk:
            for server in ("git", "web"):
                shown: list[str] = []

                def seen(item: Shown, shown: list[str] = shown) -> None:
                    if isinstance(item, ToolOutput):
                        shown.append(item.text)
                        talk.session.engine.interrupt()

                result = await talk.calls(server, "hang", seen)
                assert shown == ["25% a quarter\n"]
                assert result.startswith("[interrupted by the person after")
                assert await talk.calls(server, "cancelled") == "cancelled: hang"


async def test_a_server_that_floods_is_cut_off_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with talking(tmp_path, monkeypatch, stdio("git", 1)) as talk:
        result = await talk.calls("git", "flood")
        assert result.startswith("The server git went away during the call")
        assert await talk.calls("git", "peek") == "seen"
        lines = "\n".join(talk.lines)
        assert "git sent 500 messages within a second and was cut off" in lines
        assert "The server git went away" in lines
        assert "More that git says is not shown." in lines
        assert lines.count("too much") <= 20


async def test_a_huge_result_is_cut_and_the_rest_is_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving("web", 1) as url:
        config = stdio("git", 1) + http("web", url)
        async with talking(tmp_path, monkeypatch, config) as talk:
            for server in ("git", "web"):
                result = await talk.calls(server, "huge")
                assert len(result) < talk.session.config.tools.output_chars + 500
            kept = sorted((talk.at.data / "results").rglob("*"), key=lambda f: f.stat().st_size)
            assert kept[-1].stat().st_size >= HUGE


async def test_an_http_server_that_is_killed_is_told_and_comes_back_when_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving("web", 1) as url:
        async with talking(tmp_path, monkeypatch, http("web", url)) as talk:
            result = await talk.calls("web", "die")
            assert result.startswith("The server web went away during the call")
            await soon(talk.servers.settled(60))
            result = await talk.calls("web", "peek")
            assert result.startswith("The server web can't be reached: ")
            assert any("web is not there: " in line for line in talk.lines)
            with serving("web", 1, urlsplit(url).port or 0):
                assert await talk.reads("/mcp restart web") == "web starts again."
                await soon(talk.servers.settled(60))
                assert await talk.calls("web", "peek") == "seen"


@pytest.mark.parametrize("model", [OLDER, "claude-opus-5-5"])
async def test_a_session_that_began_without_servers_goes_on_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    async with talking(tmp_path, monkeypatch, "", model) as talk:
        await talk.says("hello")
        await talk.session.close()
        talk.at.configure(stdio("git", 1))
        again = talk.at.open(Yes(), resume=talk.session.engine.log.id)
        talk.session = again
        await soon(talk.servers.settled(60))
        await talk.says("and now")
        before, after = talk.api.requests
        changed = [e for e in again.engine.log.entries if isinstance(e.event, ToolsChanged)]
        assert bool(changed) == (model == OLDER)
        if model == OLDER:
            assert await talk.calls("git", "peek") == "seen"
            assert {tool["name"] for tool in after["tools"]} > {"find_tools", "call_tool"}
        else:
            assert before["tools"] == after["tools"]
            assert "find_tools" in str(after["messages"])
