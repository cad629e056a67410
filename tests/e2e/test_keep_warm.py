"""The prompt cache is kept warm while the person is away: the calls, over the wire."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import isclose
from pathlib import Path

import pytest

from octochat.commands.execute import execute, understood
from octochat.context.session.events import Entry, KeptWarm
from octochat.engine.keep_warm import WarmKeeper
from octochat.models.port import Notice
from octochat.session.session import Session
from tests.e2e.home import home
from tests.server import ClaudeServer, Gate, Held, Json, Reply, Say, Status, Usage, call, reply, say
from tests.waiting import soon

TOLD = "[cache]\nkeep_warm = {}\n[recall]\nautomatic = false\n"
MODEL = "claude-sonnet-5-5"


@dataclass
class Away:
    """A session whose person has gone; time passes only where somebody waits for it."""

    session: Session
    server: ClaudeServer
    told: list[Entry | Notice] = field(default_factory=list[Entry | Notice])

    @property
    def keeper(self) -> WarmKeeper:
        assert self.session.keeper
        return self.session.keeper

    async def says(self, text: str) -> None:
        async for _ in execute(self.session, understood(text)):
            pass

    async def waits(self) -> list[Usage]:
        """Let all the calls come that are due; what they were billed for."""
        before = len(self.server.bill)
        await soon(self.keeper.keep(self.told.append))
        return [charge.usage for charge in self.server.bill[before:]]


def work(body: Json) -> Reply:
    """A long answer, or as much of it as is wanted."""
    if body["max_tokens"] == 1:
        return reply(Say("The"), stop="max_tokens", output_tokens=1)
    return say("The work goes on as it was planned. " * 200)


@asynccontextmanager
async def away(
    root: Path, patch: pytest.MonkeyPatch, minutes: str, config: str = "", model: str = MODEL
) -> AsyncGenerator[Away]:
    async with ClaudeServer() as server:
        server.default = work
        at = home(root, server.env, config + TOLD.format(minutes))
        at.enter(patch)
        patch.setattr("time.time", lambda: 1e9 + server.clock.now)
        session = at.open(model=model)
        kept = Away(session, server)

        async def pass_by(seconds: float) -> None:
            server.clock.advance(seconds)

        kept.keeper.sleep = pass_by
        try:
            for n in range(3):
                await kept.says(f"Go on with part {n}, please.")
            yield kept
        finally:
            await session.close()
        assert server.refusals == []


async def test_a_call_reads_just_what_was_sent_and_nothing_else_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch, "12") as kept:
        engine, server = kept.session.engine, kept.server
        before, last = engine.state, server.bill[-1].usage
        billed = await kept.waits()
        assert server.clock.now == 2 * 270  # the third would come after 12 minutes
        assert [(u.read, u.write_5m, u.input) for u in billed] == [(last.prompt, 0, 0)] * 2
        sent, beat = server.requests[-3], server.requests[-1]
        assert beat["max_tokens"] == 1
        changing = ("max_tokens", "diagnostics")
        same = [{k: v for k, v in body.items() if k not in changing} for body in (sent, beat)]
        assert same[0] == same[1]
        assert engine.state.view == before.view
        assert engine.state.context == before.context
        assert engine.state.ledger.calls == before.ledger.calls
        server.clock.advance(299)
        await kept.says("I am back.")
        assert server.bill[-1].usage.read >= last.prompt
        assert engine.state.ledger.cold_calls == 0


async def test_the_calls_are_on_the_bill_and_told_before_and_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch, "12") as kept:
        assert kept.session.next_warmth is None  # no front end has it begin
        kept.keeper.begun = True
        coming = kept.session.next_warmth
        assert coming
        billed = await kept.waits()
        events = [t.event for t in kept.told if isinstance(t, Entry)]
        costs = [event.cost or 0.0 for event in events if isinstance(event, KeptWarm)]
        assert len(costs) == len(billed) == 2
        charged = [charge.dollars for charge in kept.server.bill[-2:]]
        assert all(map(isclose, costs, charged))
        assert isclose(coming.cost, charged[0], rel_tol=0.25)
        ledger = kept.session.engine.state.ledger
        assert isclose(ledger.total_cost, kept.server.dollars)
        assert isclose(ledger.warmth.cost, sum(costs))


async def test_it_ends_when_all_of_them_would_cost_more_than_writing_the_context_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch, "100000") as kept:
        context = kept.session.situation.state.context
        billed = await kept.waits()
        assert len(billed) == 24  # writing costs 25 times as much as reading
        spent = sum(charge.dollars for charge in kept.server.bill[-len(billed) :])
        assert spent < context * 2.5 / 1e6


async def test_a_cache_of_an_hour_is_kept_by_a_call_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch, "90", 'cache_ttl = "1h"\n') as kept:
        assert len(await kept.waits()) == 1
        assert kept.server.clock.now == 3_570


@pytest.mark.parametrize("way", ["asleep", "folded", "budget", "spent", "off", "gone"])
async def test_where_it_would_not_help_no_call_is_made(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = "claude-haiku-4-5" if way == "budget" else MODEL
    minutes = '"off"' if way == "off" else "30"
    async with away(tmp_path, monkeypatch, minutes, model=model) as kept:
        match way:
            case "asleep":
                kept.server.clock.advance(400)
            case "folded":
                await kept.says("/done")
            case "spent":
                kept.session.engine.max_cost = 1e-9
            case "gone":
                kept.server.cache.entries.clear()
            case _:
                pass
        assert len(await kept.waits()) == (way == "gone")  # once, and never again


async def test_a_call_that_fails_is_told_and_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch, "30") as kept:
        asked = len(kept.server.requests)
        kept.server.then(Status(529, "Overloaded"))
        assert await kept.waits() == []
        assert len(kept.server.requests) == asked + 1
        (notice,) = kept.told
        assert isinstance(notice, Notice)
        assert notice.text.startswith("The cache is not kept warm: ")


async def test_a_turn_ends_it_and_what_was_announced_of_a_call_is_billed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch, "30") as kept:
        gate = Gate()
        kept.server.then(Held(gate, say("w"), 1))
        kept.keeper.begin(kept.told.append)
        await soon(gate.reached())
        stopped = asyncio.create_task(kept.keeper.stop())
        await soon(stopped)
        await kept.server.abandoned(1)
        ledger = kept.session.engine.state.ledger
        assert isclose(ledger.total_cost, kept.server.dollars)
        await kept.says("I am back.")
        assert kept.server.bill[-1].usage.read > 0


async def test_a_tool_call_in_the_last_turn_is_read_again_with_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch, "5") as kept:
        kept.server.then(call("read", file_path="README.md"), say("It is a project."))
        await kept.says("what is it?")
        last = kept.server.bill[-1].usage
        assert [(u.read, u.input) for u in await kept.waits()] == [(last.prompt, 0)]
