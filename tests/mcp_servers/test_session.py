"""A long session with two real servers: what they cost, and that they break nothing."""

from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from octochat.commands.execute import execute, understood
from octochat.context.session.events import Condensed, Entry, Returned, ToolLoaded, ToolWithdrawn
from octochat.context.session.state import replay
from octochat.models.port import Notice
from octochat.session.session import Session
from tests.e2e.answers import is_summary, summary
from tests.e2e.home import EAGER, home
from tests.mcp_servers.server import MORE
from tests.mcp_servers.serving import http, serving, stdio
from tests.mcp_servers.talk import Yes
from tests.server import Call, ClaudeServer, Json, Reply, Say, reply, say
from tests.server.models import by_id
from tests.server.offers import offered
from tests.server.tokens import compact
from tests.waiting import soon

TITLE = "a title of many words " * 30
ROUNDS = 40
SELDOM = EAGER.replace("30000", "200000").replace("threshold = ", "threshold = 90")
"""The configuration: nothing is compressed unasked."""
FIXED = 1_500
"""Tokens by which the fixed part may grow."""
OWN = ("read", "write", "edit", "glob", "grep", "bash", "recall", "skill")


@dataclass
class Worker:
    """A model that looks for what it can't call yet, and then calls it."""

    defers: bool
    todo: list[tuple[str, str, Json]] = field(default_factory=list[tuple[str, str, Json]])
    """Server, tool and arguments of the calls of the next turn."""
    searches: int = 0

    def __call__(self, body: Json) -> Reply:
        if is_summary(body):
            return say(compact(summary(should=True)))
        if not self.todo:
            return say("That is done.")
        server, tool, arguments = self.todo[0]
        full = f"mcp__{server}__{tool}"
        known = full in offered(body) if self.defers else f'"tool":"{tool}"' in _results(body)
        if not known:
            self.searches += 1
            assert self.searches < ROUNDS, f"{full} can't be found"
            return reply(Call("find_tools", {"query": full if self.defers else tool}))
        self.todo.pop(0)
        if self.defers:
            return reply(Call(full, arguments))
        given = {"server": server, "tool": tool, "arguments": arguments}
        return reply(Say("I call it."), Call("call_tool", given))


def _results(body: Json) -> str:
    """What the model reads of tools, their definitions included."""
    return compact(body["messages"]).replace('\\"', '"')


def calls() -> Iterator[tuple[str, str, Json]]:
    """Forty calls: some tools again and again, one that kills its server, one that changes it."""
    usual = ("create_issue", "list_invoice", "search_page", "merge_branch")
    for n in range(ROUNDS):
        server = ("git", "web")[n % 2]
        match n:
            case 24:
                yield "git", "die", {}
            case 27:
                yield "web", "change", {}
            case 29:
                yield "web", "fresh_tool", {"title": TITLE}
            case 33:
                yield "web", "list_invoice", {"title": TITLE}
            case _:
                yield server, usual[n // 2 % 4], {"title": TITLE, "number": n}


async def says(session: Session, text: str, heard: list[object]) -> None:
    async with aclosing(execute(session, understood(text, session))) as stream:
        heard += [item.event if isinstance(item, Entry) else item async for item in stream]


@pytest.mark.parametrize(
    ("model", "defers"), [("claude-opus-5-5", True), ("claude-sonnet-5", False)]
)
async def test_forty_calls_of_120_tools_cost_little_and_break_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, *, defers: bool
) -> None:
    worker, heard = Worker(defers), list[object]()
    async with ClaudeServer() as api:
        api.default = worker
        with serving("web", 60) as url:
            config = f"{SELDOM}\n{stdio('git', 60)}\n{http('web', url)}"
            place = home(tmp_path, api.env, config)
            place.enter(monkeypatch)
            session = place.open(Yes(), model=model)
            assert session.servers
            await soon(session.servers.settled(60))
            every = list(calls())
            for turn in range(8):
                worker.todo = every[turn * 5 : turn * 5 + 5]
                await says(session, f"Go on with part {turn}.", heard)
                assert worker.todo == []
                await soon(session.servers.settled(60))  # one was killed at the end of a turn
                if turn in (2, 4, 6):
                    await says(session, "/compact", heard)
            log = session.engine.log
            assert replay(log.entries).view == session.engine.state.view
            await session.close()
    assert api.refusals == []
    assert sum(isinstance(each, Condensed) and each.fold is not None for each in heard) == 3
    results = [each for each in heard if isinstance(each, Returned)]
    assert len(results) == ROUNDS + worker.searches
    assert [each.failed for each in results].count(True) == 1
    lines = " ".join(each.text for each in heard if isinstance(each, Notice))
    assert "The server git went away" in lines
    main = [body for body in api.requests if not is_summary(body)]
    _fixed_part_is_small(main[0], model)
    assert all(body["tools"] == main[0]["tools"] for body in main)
    _cache_holds(api)
    _loads_stay_in_use(heard, worker)


def _fixed_part_is_small(body: Json, model: str) -> None:
    served = by_id()[model]
    ruler = ClaudeServer().ruler
    shown = [t for t in body["tools"] if not t.get("defer_loading") and t["name"] not in OWN]
    assert shown
    assert sum(ruler.block(tool, served) for tool in shown) < FIXED
    assert len([t for t in body["tools"] if t.get("defer_loading")]) in (0, 120 + 2 * MORE)


def _cache_holds(api: ClaudeServer) -> None:
    """Whatever only adds to a request before it is read from the cache up to there."""
    followed = 0
    for each in api.messages:
        if each.body.get("diagnostics") and each.message:
            followed += 1
            assert each.message.get("diagnostics") in (None, {"cache_miss_reason": None}), each.body
    assert followed > ROUNDS


def _loads_stay_in_use(heard: list[object], worker: Worker) -> None:
    """A tool that is used again and again is not looked for again behind every compression."""
    loaded = [each.tool.name for each in heard if isinstance(each, ToolLoaded)]
    assert loaded.count("mcp__web__fresh_tool") == 1
    assert loaded.count("mcp__git__create_issue") <= 3
    assert worker.searches < ROUNDS // 2
    gone = [each.name for each in heard if isinstance(each, ToolWithdrawn)]
    assert "mcp__web__create_issue" in gone
