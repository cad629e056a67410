"""What was announced is billed, however the call ends: stopped, cancelled, broken off."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from octochat.commands.execute import execute, understood
from octochat.context.economics.worth import Writer
from octochat.context.session.content import Text
from octochat.context.session.events import Entry, Held, Opened, Prompted, Replied, Usage
from octochat.context.session.state import replay
from octochat.engine import tasks
from octochat.engine.compress import Compressor
from octochat.models.catalogue import info
from octochat.models.port import Delta, Reply, Request, Retrying, Started
from octochat.session.session import Session
from octochat.summaries.summariser import Summariser
from tests.e2e.home import home
from tests.waiting import soon

ANNOUNCED = Usage(fresh=1_000, output=1)
HAIKU = "claude-haiku-4-5"


class Hangs:
    """A model that fails once, takes the request, and never answers."""

    def __init__(self) -> None:
        self.taken: asyncio.Event = asyncio.Event()

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        yield Started(ANNOUNCED)
        yield Retrying("it broke off", "stream", 0.0, 2, 3)
        yield Started(ANNOUNCED)
        self.taken.set()
        await asyncio.Event().wait()


def compressor(session: Session, model: Hangs) -> Compressor:
    """One whose summaries that model writes."""
    prices = info(HAIKU).prices

    def writers(name: str) -> tuple[Writer, ...]:
        return (Writer(HAIKU, prices, shares_cache=False),)

    decision = session.config.compression.decision
    writer = Summariser(model, info, decision, len, retention=3)
    rules = replace(session.compressor.rules, writers=writers)
    return Compressor(rules, writer, lambda _: 1, len)


@pytest.mark.parametrize("way", ["stopped", "cancelled"])
async def test_a_summary_that_is_ended_early_is_billed_with_all_its_tries(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = home(tmp_path / "home")
    at.enter(monkeypatch)
    (at.project / "long.txt").write_text(f"{'many-words-' * 40}\n" * 20)
    session = at.open(model="offline")
    for _ in range(4):
        async with aclosing(execute(session, understood("read long.txt"))) as stream:
            async for _ in stream:
                pass
    model = Hangs()
    engine = session.engine

    async def compact() -> None:
        async with aclosing(tasks.compact(engine, compressor(session, model))) as stream:
            async for _ in stream:
                pass

    task = asyncio.create_task(compact())
    await soon(model.taken.wait())
    if way == "stopped":
        engine.interrupt()
        await task
    else:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    last = engine.log.entries[-1].event
    assert isinstance(last, Held)
    assert (last.writer, last.usage) == (HAIKU, ANNOUNCED + ANNOUNCED)
    assert last.cost == info(HAIKU).prices.cost(ANNOUNCED + ANNOUNCED)
    assert engine.state.ledger.summary_usage == ANNOUNCED + ANNOUNCED
    await session.close()


def state(*replies: Replied) -> list[Entry]:
    events = (Opened("m", "s"), Prompted((Text("hi"),)), *replies)
    return [Entry(n, float(n), 100, event) for n, event in enumerate(events, 1)]


def test_a_failed_call_costs_and_changes_nothing_else() -> None:
    failed = Replied((), "failed", ANNOUNCED, cost=0.5, void=True)
    before, after = replay(state()), replay(state(failed))
    assert (after.view, after.context, after.answering) == (
        before.view,
        before.context,
        before.answering,
    )
    assert (after.ledger.cost, after.ledger.usage, after.ledger.calls) == (0.5, ANNOUNCED, 0)


def test_the_context_after_an_interruption_holds_what_came_and_not_what_was_announced() -> None:
    assert replay(state(Replied((Text("half"),), "interrupted", ANNOUNCED))).context == 1_100
    assert replay(state(Replied((Text("all"),), "end_turn", ANNOUNCED))).context == 1_001
