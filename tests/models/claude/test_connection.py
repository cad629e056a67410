"""The connection under an answer: stopped at once, used again, made when it is needed."""

import asyncio
import sys
from contextlib import aclosing
from subprocess import run
from typing import Literal

import pytest

from octochat.config.schema import Settings
from octochat.context.session.content import Text
from octochat.models.catalogue import info
from octochat.models.claude import model
from octochat.models.claude.model import Claude
from octochat.models.port import (
    ModelError,
    Started,
    TextDelta,
)
from tests.claude_talk import Talk, asks, user
from tests.server import (
    ClaudeServer,
    Gate,
    Held,
    say,
)
from tests.waiting import soon

ON_OFF: tuple[Literal["on", "off"], ...] = ("on", "off")
HALF = say("a reply of which only a part arrives")


def test_the_sdk_is_not_loaded_before_it_is_needed() -> None:
    code = "import octochat.models.providers, sys; print('anthropic' in sys.modules)"
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


async def test_cancelling_closes_the_connection_at_once() -> None:
    heard = asyncio.Event()

    async def listen(talk: Talk) -> None:
        async for item in talk.claude.reply(asks(user("go"))):
            if isinstance(item, TextDelta):
                heard.set()

    async with ClaudeServer(Held(Gate(), HALF, after=4)) as server:
        talk = Talk(server)
        call = asyncio.create_task(listen(talk))
        await soon(heard.wait())
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await soon(server.messages[0].left.wait())
        assert (await talk.say("again")).stop == "end_turn"
        await talk.claude.close()


async def test_closing_the_stream_closes_the_connection() -> None:
    async with ClaudeServer(Held(Gate(), HALF, after=4)) as server:
        claude = Claude(environment=server.env)
        async with aclosing(claude.reply(asks(user("go")))) as stream:
            assert isinstance(await anext(stream), Started)
        await soon(server.messages[0].left.wait())
        await claude.close()


async def test_calls_one_after_the_other_share_a_connection() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        await talk.say("one")
        await talk.say("two")
        assert server.accepted == 1
        await talk.claude.close()


async def test_the_first_call_needs_no_preparation_and_preparing_twice_does_no_harm() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        await asyncio.gather(talk.claude.prepare(), talk.claude.prepare(), talk.say("go"))
        await talk.claude.close()
        await talk.claude.close()
        assert len(server.messages) == 1


async def test_after_closing_a_call_connects_anew() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        await talk.say("one")
        await talk.claude.close()
        await talk.say("two")
        await talk.claude.close()
        assert server.accepted == 2


async def test_the_end_of_a_stream_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model, "LINGER", 0.01)
    events = 7  # start, ping, block start, one delta, block stop, message delta, stop
    async with ClaudeServer(Held(Gate(), say("hi"), after=events)) as server:
        talk = Talk(server)
        assert (await soon(talk.say("go"))).blocks == (Text("hi"),)
        await talk.claude.close()


async def test_what_is_wrong_with_a_key_is_said_by_the_first_call_and_not_before() -> None:
    claude = Claude(environment={"ANTHROPIC_API_KEY": "two words"})
    await claude.prepare()
    assert await claude.describe("claude-haiku-4-5") is None
    with pytest.raises(ModelError, match="white space"):
        await anext(claude.reply(asks(user("go"))))


async def test_claude_is_asked_as_the_configuration_says() -> None:
    async with ClaudeServer() as server:
        for thinking in ON_OFF:
            wanted = Settings(cache_ttl="1h", thinking=thinking, thinking_budget=1_500)
            claude = Claude.connect(wanted, info, server.env)
            async for _ in claude.reply(asks(user("go"), model="claude-haiku-4-5")):
                pass
            await claude.close()
    asked, spared = server.requests
    assert asked["thinking"] == {"type": "enabled", "budget_tokens": 1_500}
    assert "thinking" not in spared
    assert asked["system"][0]["cache_control"]["ttl"] == "1h"
