"""A session of 200 exchanges makes no request that the server refuses."""

import asyncio
import random
from contextlib import aclosing
from dataclasses import dataclass, field
from math import isclose
from pathlib import Path

import pytest

from octochat.commands.base import Saying
from octochat.commands.execute import execute, understood
from octochat.context.session.content import ToolCall
from octochat.context.session.events import (
    Condensed,
    Entry,
    Prompted,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillLoaded,
    Usage,
)
from octochat.context.session.state import replay
from octochat.models.port import ModelError, Started, ToolStarted
from octochat.permissions.ask import AllowOnce, Approval, Deny, Verdict
from octochat.session.session import Session
from tests.e2e.answers import WORDS, Director
from tests.e2e.home import EAGER, Home, home
from tests.server import Call, ClaudeServer, Gate, Say, reply
from tests.waiting import LIMIT

EXCHANGES = 200
ENDED_BY_HAND = ("interrupted", "failed")


@dataclass(frozen=True, slots=True)
class Whim:
    """A person who mostly says yes."""

    rng: random.Random

    async def ask(self, approval: Approval) -> Verdict:
        return AllowOnce() if self.rng.random() < 0.8 else Deny("not now")


@dataclass
class Person:
    """Someone who talks, interrupts, leaves, comes back, and changes their mind."""

    home: Home
    server: ClaudeServer
    director: Director
    model: str
    session: Session = field(init=False)
    replies: int = 0

    def __post_init__(self) -> None:
        self.rng: random.Random = self.director.rng
        self.session = self.home.open(Whim(self.rng), model=self.model)

    async def comes_back(self) -> None:
        """Close octochat and go on with the same session."""
        name = self.session.engine.log.id
        await self.session.close()  # what was being written ahead is given up and billed
        before = self.session.engine.state
        self.session = self.home.open(Whim(self.rng), resume=name)
        assert self.session.engine.state == before

    async def hears(self, stream: Saying, leave_after: int | None = None) -> None:
        """Listen to the end, or go away after so many entries. Errors are part of life."""
        try:
            async with aclosing(stream):
                async for item in stream:
                    if isinstance(item, Entry):
                        self.checks(item)
                        leave_after = None if leave_after is None else leave_after - 1
                        if leave_after == 0:
                            return
        except ModelError:
            return

    def checks(self, entry: Entry) -> None:
        """Right after each reply the context is what the server counted."""
        event = entry.event
        if isinstance(event, Replied) and event.stop not in ENDED_BY_HAND and not event.void:
            (billed,) = (c.usage for c in self.server.bill if c.message_id == event.id)
            assert self.session.engine.state.context == billed.prompt + billed.output
            self.replies += 1

    async def says(self, text: str, leave_after: int | None = None) -> None:
        await self.hears(execute(self.session, understood(text)), leave_after)

    async def is_impatient(self, text: str, *, cancels: bool) -> None:
        """Stop the answer once a part of it has come (or none)."""
        after = self.rng.randint(0, 4)
        await self.stops(text, self.director.hold(after), Started if after else None, cancels)

    async def stops_a_tool(self, text: str, *, cancels: bool) -> None:
        """Stop while the second of three tools runs."""
        calls = (
            Call("read", {"file_path": "README.md"}),
            Call("bash", {"command": "sleep 60"}),
            Call("read", {"file_path": "notes.txt"}),
        )
        self.director.wanted.append(reply(Say(WORDS), *calls))
        await self.stops(text, None, ToolStarted, cancels)

    async def stops(
        self, text: str, gate: Gate | None, sign: type[object] | None, cancels: bool
    ) -> None:
        """Wait for the gate and for the sign, then stop."""
        seen = asyncio.Event()

        async def listen() -> None:
            try:
                async with aclosing(execute(self.session, understood(text))) as stream:
                    async for item in stream:
                        runs = isinstance(item, ToolStarted) and item.call.name == "bash"
                        if sign and isinstance(item, sign) and (runs or sign is not ToolStarted):
                            seen.set()
            except ModelError:
                seen.set()

        task = asyncio.create_task(listen())
        ended = asyncio.create_task(asyncio.wait([task]))
        waits = [asyncio.create_task(seen.wait())] if sign else []
        waits += [asyncio.create_task(gate.reached())] if gate else []
        both = asyncio.ensure_future(asyncio.gather(*waits))
        done, _ = await asyncio.wait(
            [ended, both], timeout=LIMIT, return_when=asyncio.FIRST_COMPLETED
        )
        assert done, f"{text!r} came neither to an end nor to {sign} at {gate}"
        both.cancel()
        if cancels:
            task.cancel()
        else:
            self.session.engine.interrupt()
        await asyncio.gather(task, ended, both, return_exceptions=True)

    async def does_something(self, number: int) -> None:
        """One exchange."""
        text = f"question {number}: " + "please look again. " * self.rng.randint(1, 30)
        match self.rng.randrange(20):
            case 0 | 1:
                await self.is_impatient(text, cancels=False)
            case 2:
                await self.is_impatient(text, cancels=True)
            case 3:
                await self.stops_a_tool(text, cancels=self.rng.random() < 0.5)
            case 4:
                await self.says(text, leave_after=self.rng.randint(1, 4))
            case _:
                await self.says(text)
        self.director.wanted.clear()

    async def has_an_idea(self) -> None:
        """Something between two exchanges."""
        match self.rng.randrange(24):
            case 0 | 1 | 2:
                await self.comes_back()
            case 3:
                await self.says("/done")
            case 4:
                await self.says("/compact table 42")
            case 5 | 6:
                await self.says("/restore")
            case 7:
                await self.says("/undo")
            case 8:
                await self.says("/pin")
            case 9:
                pins = sorted(self.session.engine.state.pins)
                await self.says(f"/unpin {pins[0] if pins else 1}")
            case 10:
                await self.says("skill(use git-commit)")
            case 11:
                await self.says("skill(forget git-commit)")
            case 12:
                await self.says("/knowledge add the sky is blue")
            case 13:
                await self.says("/retry")
            case 14:
                await self.says("/info")
            case _:
                pass


def total(server: ClaudeServer) -> Usage:
    """What the server billed, in octochat's words."""
    used = [charge.usage for charge in server.bill]
    return sum(
        (Usage(u.input, u.read, u.write_5m, u.write_1h, u.output) for u in used), start=Usage()
    )


def kinds(entries: list[Entry]) -> set[type[object]]:
    return {type(entry.event) for entry in entries}


@pytest.mark.parametrize(
    ("model", "decides"),
    [("claude-sonnet-5-5", "auto"), ("claude-sonnet-4-6", "anthropic:claude-haiku-4-5")],
)
async def test_200_exchanges_are_never_refused_and_cost_what_is_billed(
    model: str, decides: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(f"{model} {decides}")
    director = Director(rng)
    async with ClaudeServer() as server:
        server.default = director
        # The server bills all of a note that is given up half way; nobody here hears how much.
        eager = EAGER.replace("[compression]", "[compression]\nwrite_ahead = 1.0")
        assert "write_ahead" in eager
        config = f'{eager}\n[compression.decision]\nmodel = "{decides}"\n'
        at = home(tmp_path, server.env, config)
        at.enter(monkeypatch)
        person = Person(at, server, director, model)
        for number in range(EXCHANGES):
            await person.does_something(number)
            await person.has_an_idea()
            assert server.refusals == []
        state = person.session.engine.state
        entries = list(person.session.engine.log.entries)
        await person.session.close()
    ledger = state.ledger
    assert ledger.usage + ledger.summary_usage == total(server)
    assert isclose(ledger.cost + ledger.summary_cost, server.dollars)
    assert replay(entries) == state
    assert sum(isinstance(entry.event, Prompted) for entry in entries) >= EXCHANGES
    assert person.replies > EXCHANGES / 2
    assert {Condensed, Returned, Reverted, Rewound, SkillLoaded} <= kinds(entries)
    assert any(isinstance(e.event, Condensed) and e.event.trigger == "auto" for e in entries)
    assert director.summaries > 5
    stops = {entry.event.stop for entry in entries if isinstance(entry.event, Replied)}
    assert stops >= {"interrupted", "failed", "tool_use", "max_tokens", "refusal"}
    assert any(parallel(entry) > 1 for entry in entries)
    answers = [each.message for each in server.messages if each.message]
    assert sum("diagnostics" in each.body for each in server.messages) > EXCHANGES / 2
    assert [answer["diagnostics"] for answer in answers if answer["diagnostics"]] == []


def parallel(entry: Entry) -> int:
    blocks = entry.event.blocks if isinstance(entry.event, Replied) else ()
    return sum(isinstance(block, ToolCall) for block in blocks)
