"""The server through the real SDK: whole replies, broken ones, slow ones."""

import asyncio

import anthropic
import httpx2
import pytest

from tests.server import (
    Call,
    ClaudeServer,
    Cut,
    EndEarly,
    ErrorEvent,
    Gate,
    Held,
    Malformed,
    Reset,
    Say,
    Status,
    Step,
    Think,
    call,
    reply,
    say,
    too_long,
)


def client(server: ClaudeServer) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(
        api_key=server.api_key, base_url=server.url, max_retries=0, timeout=60
    )


async def ask(server: ClaudeServer, model: str = "claude-opus-5-5") -> anthropic.types.Message:
    async with (
        client(server) as sdk,
        sdk.messages.stream(
            model=model, max_tokens=1000, messages=[{"role": "user", "content": "hi"}]
        ) as stream,
    ):
        return await stream.get_final_message()


async def test_a_streamed_reply_arrives_whole() -> None:
    script = reply(Think("hm"), Say("hello, a text of several deltas"), Call("read", {"a": [1]}))
    async with ClaudeServer(script) as server:
        message = await ask(server)
    thinking, words, tool_call = message.content
    assert isinstance(thinking, anthropic.types.ThinkingBlock)
    assert (thinking.thinking, bool(thinking.signature)) == ("", True)
    assert isinstance(words, anthropic.types.TextBlock)
    assert words.text == "hello, a text of several deltas"
    assert isinstance(tool_call, anthropic.types.ToolUseBlock)
    assert (tool_call.name, tool_call.input) == ("read", {"a": [1]})
    assert message.stop_reason == "tool_use"
    assert server.refusals == []
    assert [each.finished for each in server.messages] == [True]


async def test_a_reply_in_one_piece_is_the_same() -> None:
    async with ClaudeServer(call("read", path="a")) as server, client(server) as sdk:
        message = await sdk.messages.create(
            model="claude-sonnet-5", max_tokens=10, messages=[{"role": "user", "content": "hi"}]
        )
    block = message.content[0]
    assert isinstance(block, anthropic.types.ToolUseBlock)
    assert block.input == {"path": "a"}
    assert message.usage.output_tokens == server.bill[0].usage.output


async def test_without_a_script_it_echoes() -> None:
    async with ClaudeServer() as server:
        message = await ask(server)
    block = message.content[0]
    assert isinstance(block, anthropic.types.TextBlock)
    assert block.text == "You said: hi"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Status(401), anthropic.AuthenticationError),
        (Status(402), anthropic.PaymentRequiredError),
        (Status(403), anthropic.PermissionDeniedError),
        (Status(404), anthropic.NotFoundError),
        (Status(429), anthropic.RateLimitError),
        (Status(500), anthropic.InternalServerError),
        (Status(529), anthropic.InternalServerError),
        (too_long(210_000, 200_000), anthropic.BadRequestError),
        (Reset(), anthropic.APIConnectionError),
        (Reset(after=2), httpx2.ReadError),
        (Cut(after=4), httpx2.RemoteProtocolError),
        (Malformed(), ValueError),
        (ErrorEvent(), anthropic.APIStatusError),
    ],
)
async def test_every_fault_reaches_the_client(fault: Step, error: type[Exception]) -> None:
    async with ClaudeServer(fault, say("again")) as server:
        with pytest.raises(error):
            await ask(server)
        assert not server.messages[0].finished or server.messages[0].message is None
        await ask(server)
    assert server.refusals == []


async def test_a_rate_limit_says_how_long_to_wait() -> None:
    async with ClaudeServer(Status(429, retry_after=7)) as server:
        with pytest.raises(anthropic.RateLimitError) as caught:
            await ask(server)
    assert caught.value.response.headers["retry-after"] == "7"


async def test_a_stream_may_end_without_its_last_event() -> None:
    async with ClaudeServer(EndEarly(after=5)) as server:
        message = await ask(server)
    assert message.stop_reason is None
    assert not server.messages[0].finished


async def test_a_reply_that_is_cut_off_costs_what_was_announced() -> None:
    async with ClaudeServer(Cut(after=4), say("whole")) as server:
        with pytest.raises(httpx2.RemoteProtocolError):
            await ask(server)
        await ask(server)
    assert [charge.usage.output for charge in server.bill] == [1, 7]


async def test_a_closed_door_refuses_connections() -> None:
    async with ClaudeServer(say("open")) as server:
        await server.stop()
        with pytest.raises(anthropic.APIConnectionError):
            await ask(server)
        await server.start()
        await ask(server)


async def test_a_held_stream_moves_when_the_gate_lets_it() -> None:
    gate = Gate()
    async with ClaudeServer(Held(gate, say("slow"), after=3)) as server:
        task = asyncio.create_task(ask(server))
        await gate.reached()
        assert not task.done()
        gate.open()
        await task
    assert server.messages[0].finished


async def test_a_client_that_leaves_a_stalled_stream_is_noticed() -> None:
    gate = Gate()
    async with ClaudeServer(Held(gate, say("never"))) as server:
        task = asyncio.create_task(ask(server))
        await gate.reached()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.abandoned(1)
    assert server.messages[0].abandoned
    assert server.bill == []
