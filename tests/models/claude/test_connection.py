"""The connection under an answer: stopped at once, used again, made when it is needed."""

import asyncio
import sys
from contextlib import aclosing
from subprocess import run

import pytest

from octochat.models.claude.model import Claude
from octochat.models.port import (
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
