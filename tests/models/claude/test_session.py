"""A long session through the real engine: tools, faults, interruptions, resumes; none refused."""

import random
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from math import isclose
from pathlib import Path

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text, Thinking, ToolCall
from octochat.context.session.events import (
    Entry,
    ModelChanged,
    Opened,
    Prompted,
    Replied,
    ToolDefinition,
)
from octochat.engine.loop import Engine
from octochat.engine.ports import LiveSession, Ports, Stream
from octochat.engine.tasks import undo
from octochat.models.catalogue import info
from octochat.models.claude.model import Claude
from octochat.models.port import Delta, Notice, Request, TextDelta
from octochat.models.port import Reply as WholeReply
from octochat.models.retry import Persistent
from octochat.models.retry_policy import RetryPolicy
from octochat.storage.log import Log
from octochat.tools.base import Access, Arguments, Output, Progress
from tests.claude_talk import READ, SYSTEM
from tests.server import (
    Call,
    Charge,
    ClaudeServer,
    Cut,
    EndEarly,
    ErrorEvent,
    Json,
    Malformed,
    Redacted,
    Reply,
    Reset,
    Say,
    Status,
    Step,
    Think,
    reply,
)


class Reads:
    """A tool that answers at once."""

    spec: ToolDefinition = READ

    def access(self, arguments: Arguments) -> Access:
        return Access("none", "read")

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        return Output((Text(f"the file {arguments.get('path')} " * 5),))

    async def close(self) -> None:
        return


class Willing:
    async def check(
        self, tool: str, call: ToolCall, access: Access, hook: object = None
    ) -> str | None:
        return None

    def may_show(self, tool: str, access: Access) -> bool:
        return True


class LeavesAlone:
    """A keeper that never changes the view."""

    def situation(self, session: LiveSession) -> Situation:
        raise AssertionError("nobody asks how full it is")

    async def look(self, session: LiveSession) -> Stream:
        for nothing in ():
            yield nothing

    async def fit(self, session: LiveSession, over: str) -> Stream:
        raise AssertionError(over)
        yield


@dataclass
class Session:
    """A person at work with octochat, over the real client."""

    server: ClaudeServer
    path: Path
    model: str
    claude: Claude = field(init=False)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.claude = Claude(environment=self.server.env)
        self.open()

    def open(self) -> None:
        self.log = Log(self.path, weigh=lambda _: 10, clock=lambda: self.now)
        if not self.log.entries:
            tool = READ
            self.log.append(Opened(self.model, SYSTEM, (tool,)))
        ports = Ports(
            model=Persistent(self.claude, RetryPolicy(first_wait="0s")),
            tools={"read": Reads()},
            permission=Willing(),
            keeper=LeavesAlone(),
            clock=lambda: self.now,
            info=info,
            used=lambda before, event: None,
            mask_secrets=True,
        )
        self.engine = Engine(self.log, ports, max_tokens=20_000, ttl=300)

    def resume(self) -> None:
        self.log.close()
        self.open()

    async def say(self, text: str, *, stop_after: int = -1) -> None:
        """Say something; be impatient after so many pieces of the answer."""
        await self.hear(self.engine.turn((Text(text),)), stop_after)

    async def hear(self, stream: AsyncGenerator[Entry | Delta, None], stop_after: int) -> None:
        async with aclosing(stream):
            async for item in stream:
                stop_after -= isinstance(item, TextDelta)
                if stop_after == 0:
                    self.engine.interrupt()

    @property
    def replies(self) -> list[Replied]:
        """The answers that came whole."""
        events = [entry.event for entry in self.log.entries]
        return [
            e for e in events if isinstance(e, Replied) and e.stop not in ("interrupted", "failed")
        ]


def answers(rng: random.Random) -> Step:
    """Something that a model or a network may do next."""
    whole = words(rng)
    faults: list[Step] = [
        Status(529, "Overloaded"),
        Status(429, "slow down", retry_after=0),
        Status(500, "oops"),
        Reset(rng.randint(0, 5), whole),
        Cut(rng.randint(0, 5), whole),
        EndEarly(rng.randint(0, 5), whole),
        Malformed(rng.randint(0, 5), whole),
        ErrorEvent(rng.randint(0, 5), whole),
    ]
    return rng.choice(faults) if rng.random() < 0.15 else whole


def words(rng: random.Random) -> Reply:
    said = Say("some words of an answer " * rng.randint(1, 4))
    thought = (Think("let me think"),) if rng.random() < 0.6 else ()
    count = rng.choice((0, 0, 1, 2, 30)) if rng.random() < 0.7 else 0
    calls = tuple(Call("read", {"path": f"{n}"}) for n in range(count))
    return reply(*thought, said, *calls)


def context(charge: Charge) -> int:
    """What the conversation weighed after the call, by the server's count."""
    return charge.usage.prompt + charge.usage.output


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-sonnet-5", "claude-haiku-4-5"])
async def test_a_long_session_is_never_refused_and_costs_what_the_server_bills(
    model: str, tmp_path: Path
) -> None:
    rng = random.Random(7)
    async with ClaudeServer() as server:
        server.default = lambda _: answers(rng)  # pyright: ignore[reportAttributeAccessIssue]
        session = Session(server, tmp_path / "s.jsonl", model)
        for number in range(60):
            await session.say(f"question {number}", stop_after=rng.choice((-1, -1, -1, 1, 2)))
            if rng.random() < 0.1:
                session.resume()
        await session.claude.close()
        session.log.close()
        assert server.refusals == []
        assert sum(isinstance(e.event, Prompted) for e in session.log.entries) == 60
        billed = {charge.message_id: charge for charge in server.bill}
        assert len(session.replies) > 60
        for event in session.replies:
            assert isclose(event.cost or 0.0, billed[event.id].dollars)
            assert event.usage.context == context(billed[event.id])
            assert event.usage.fresh == 0


@pytest.mark.parametrize("after", range(10))
@pytest.mark.parametrize("fault", [Cut, EndEarly, Reset])
async def test_wherever_a_stream_breaks_it_costs_what_the_server_bills(
    fault: type[Cut | EndEarly | Reset], after: int, tmp_path: Path
) -> None:
    whole = reply(Say("x" * 36))
    async with ClaudeServer(fault(after, whole), whole) as server:
        session = Session(server, tmp_path / "s.jsonl", "claude-sonnet-5-5")
        await session.say("go")
        await session.claude.close()
        session.log.close()
        assert isclose(session.engine.state.ledger.cost, server.dollars)


def encrypted(messages: list[Json]) -> list[Json]:
    """The encrypted thinking in messages of the wire."""
    blocks = (block for message in messages for block in message["content"])
    return [block for block in blocks if block["type"] == "redacted_thinking"]


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-sonnet-5", "claude-opus-4-6"])
async def test_thinking_that_came_encrypted_goes_back_unchanged(model: str, tmp_path: Path) -> None:
    calls = reply(Redacted("a secret thought"), Call("read", {"path": "a"}))
    said = reply(Think("seen"), Redacted("another secret"), Say("done"))
    async with ClaudeServer(calls, said) as server:
        session = Session(server, tmp_path / "s.jsonl", model)
        await session.say("go")
        session.resume()
        await session.say("and again")
        await session.claude.close()
        session.log.close()
        assert server.refusals == []
        sent = encrypted(server.requests[-1]["messages"])
        assert sent == encrypted([each.message for each in server.messages if each.message])
        assert len(sent) == 2
        first = session.replies[0].blocks[0]
        assert first == Thinking("", sent[0]["data"], redacted=True)
        assert server.messages[-1].message
        assert not server.messages[-1].message.get("input_transformations")


async def test_the_api_is_asked_why_the_cache_missed_only_where_it_should_not_have(
    tmp_path: Path,
) -> None:
    async with ClaudeServer() as server:
        session = Session(server, tmp_path / "s.jsonl", "claude-sonnet-5-5")
        await session.say("one")
        await session.say("two")
        session.engine.append(ModelChanged("claude-sonnet-5"))
        await session.say("three")
        await session.say("four")
        undo(session.engine)
        await session.say("five")
        session.now = 1_000.0
        await session.say("six")
        await session.claude.close()
        session.log.close()
        asked = [body.get("diagnostics", {}).get("previous_message_id") for body in server.requests]
        ids = [each.message["id"] for each in server.messages if each.message]
        assert asked == [None, ids[0], None, ids[2], ids[2], None]
        assert server.refusals == []


async def test_a_miss_that_nobody_meant_is_told(tmp_path: Path) -> None:
    async with ClaudeServer() as server:
        session = Session(server, tmp_path / "s.jsonl", "claude-sonnet-5-5")
        await session.say("one")
        await session.claude.close()
        session.claude = Meddling(environment=server.env)
        session.resume()
        async with aclosing(session.engine.turn((Text("two"),))) as stream:
            told = [item.text async for item in stream if isinstance(item, Notice)]
        await session.claude.close()
        session.log.close()
    assert "the system prompt changed" in told[0]


class Meddling(Claude):
    """A proxy that changes what is sent."""

    async def reply(self, request: Request) -> AsyncGenerator[Delta | WholeReply, None]:
        changed = replace(request, system=f"{request.system} And quick!")
        async with aclosing(super().reply(changed)) as stream:
            async for item in stream:
                yield item
