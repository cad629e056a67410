"""Claude over real HTTP, against a server that refuses what the API refuses."""

import asyncio
import sys
from contextlib import aclosing
from math import isclose
from subprocess import run

import pytest

from octochat.claude import Claude
from octochat.claude_request import ClaudeOptions
from octochat.context.content import Image, Opaque, Text, Thinking, ToolCall, ToolResult
from octochat.model import (
    CallDelta,
    ModelError,
    Notice,
    Reply,
    Started,
    TextDelta,
    ThinkingDelta,
)
from octochat.models import MODELS, info
from tests.claude_talk import Talk, asks, user
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
    reply,
    say,
    too_long,
)

CLAUDES = [model.name for model in MODELS if model.name != "offline"]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5"
    "ErkJggg=="
)


def test_the_sdk_is_not_loaded_before_it_is_needed() -> None:
    code = "import octochat.claude, octochat.retry, sys; print('anthropic' in sys.modules)"
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


async def test_an_answer_is_streamed_and_then_given_whole() -> None:
    steps = reply(Think("let me see"), Say("I'll read it."), Call("read", {"path": "a b"}))
    async with ClaudeServer(steps) as server:
        talk = Talk(server, "claude-opus-5-5")
        answer = await talk.say("read it")
        await talk.claude.close()
        assert server.refusals == []
    thinking, text, call = answer.blocks
    assert isinstance(thinking, Thinking)
    assert thinking.signature
    assert (thinking.text, text) == ("let me see", Text("I'll read it."))
    assert isinstance(call, ToolCall)
    assert (call.name, call.arguments) == ("read", {"path": "a b"})
    assert (answer.stop, answer.id) == ("tool_use", "msg_000002")
    pieces = talk.deltas
    assert isinstance(pieces[0], Started)
    assert "".join(d.text for d in pieces if isinstance(d, ThinkingDelta)) == "let me see"
    assert "".join(d.text for d in pieces if isinstance(d, TextDelta)) == "I'll read it."
    assert "".join(d.json for d in pieces if isinstance(d, CallDelta)) == '{"path":"a b"}'


@pytest.mark.parametrize(
    "stop",
    [
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
    ],
)
async def test_every_stop_reason_arrives(stop: str) -> None:
    async with ClaudeServer(reply(Say("hi"), stop=stop)) as server:
        talk = Talk(server)
        assert (await talk.say("hi")).stop == stop
        await talk.claude.close()


@pytest.mark.parametrize("model", CLAUDES)
async def test_every_model_takes_a_tool_loop_with_thinking_and_bills_what_we_count(
    model: str,
) -> None:
    steps = [
        reply(Think("hm"), Say("a"), *(Call("read", {"path": f"{n}"}) for n in range(3))),
        reply(Think("aha"), Say("b"), Call("read", {"path": "z"})),
        reply(Think(""), Say("c")),
        reply(Say("d")),
    ]
    async with ClaudeServer(*steps) as server:
        talk = Talk(server, model)
        first = await talk.say("go", Image("image/png", PIXEL))
        second = await talk.results(first)
        replies = [first, second, await talk.results(second), await talk.say("and?")]
        await talk.claude.close()
        assert server.refusals == []
        costs = [info(model).prices.cost(answer.usage) or 0.0 for answer in replies]
        assert [
            isclose(cost, charge.dollars) for cost, charge in zip(costs, server.bill, strict=True)
        ] == [True] * 4
        assert not any(isinstance(delta, Notice) for delta in talk.deltas)


@pytest.mark.parametrize("model", ["claude-sonnet-5", "claude-sonnet-5-5"])
async def test_thinking_goes_back_signed_and_unchanged(model: str) -> None:
    async with ClaudeServer(reply(Think("deep"), Say("a"), Call("read", {"path": "x"}))) as server:
        talk = Talk(server, model)
        first = await talk.say("go")
        await talk.results(first)
        await talk.claude.close()
        block = first.blocks[0]
        assert isinstance(block, Thinking)
        assert server.requests[1]["messages"][1]["content"][0] == {
            "type": "thinking",
            "thinking": "deep",
            "signature": block.signature,
        }
        assert server.refusals == []


async def test_thinking_whose_prefix_has_changed_is_left_out_by_the_api_and_said() -> None:
    async with ClaudeServer(reply(Think("deep"), Say("a"))) as server:
        talk = Talk(server, "claude-opus-5-5")
        await talk.say("go")
        talk.messages[0] = user("go somewhere else")
        await talk.say("and?")
        await talk.claude.close()
        assert server.refusals == []
    notices = [delta.text for delta in talk.deltas if isinstance(delta, Notice)]
    assert notices == ["The API left out 1 blocks of earlier thinking."]


async def test_a_compaction_comes_back_as_a_block_that_keeps_later_thinking_valid() -> None:
    steps = [reply(Think("deep"), Say("a")), say("so far: a"), reply(Think("deeper"), Say("b"))]
    async with ClaudeServer(*steps) as server:
        talk = Talk(server, "claude-opus-5-5")
        await talk.say("go")
        compacted = await talk.ask(compaction=True)
        (block,) = compacted.blocks
        assert isinstance(block, Opaque)
        assert block.raw["content"] == "so far: a"
        assert compacted.stop == "end_turn"
        talk.messages = []
        await talk.say(block, "go on")
        await talk.say("and on")
        await talk.claude.close()
        assert server.refusals == []
    assert not any(isinstance(delta, Notice) for delta in talk.deltas)


async def test_an_answer_can_be_held_to_a_schema() -> None:
    async with ClaudeServer(say('{"ok": true}')) as server:
        talk = Talk(server)
        await talk.say("go", schema={"type": "object", "properties": {"ok": {"type": "boolean"}}})
        await talk.claude.close()
        assert server.refusals == []
        assert server.requests[0]["output_config"]["format"]["type"] == "json_schema"


async def test_temperature_is_taken_where_it_is_sent() -> None:
    async with ClaudeServer() as server:
        for model in CLAUDES:
            talk = Talk(server, model)
            await talk.say("go", temperature=0.2)
            await talk.claude.close()
        assert server.refusals == []


HALF = say("a reply of which only a part arrives")


async def failure(step: Step) -> ModelError:
    """How a call fails; the server must have refused nothing."""
    async with ClaudeServer(step) as server:
        talk = Talk(server)
        with pytest.raises(ModelError) as caught:
            await talk.say("go")
        await talk.claude.close()
        assert server.refusals == []
        assert len(server.messages) == 1
    return caught.value


@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (Status(401, "invalid x-api-key"), "auth", "Check ANTHROPIC_API_KEY"),
        (Status(402, "no credit"), "billing", "Add credit"),
        (Status(403, "not for you"), "auth", "not for you"),
        (Status(404, "model: claude-sonnet-5"), "model", "claude-sonnet-5"),
        (Status(413, "too big"), "too_long", "too big"),
        (Status(500, "internal"), "server", "internal"),
        (Status(504, "slow"), "timeout", "too long"),
        (Status(529, "Overloaded"), "overloaded", "overloaded"),
        (ErrorEvent(after=3), "overloaded", "overloaded"),
        (ErrorEvent(after=3, kind="api_error", message="oops"), "server", "oops"),
        (Reset(after=0), "network", "No connection to http://127.0.0.1"),
        (Reset(after=4), "stream", "broke off"),
        (Cut(after=0), "stream", "broke off"),
        (Cut(after=4), "stream", "broke off"),
        (EndEarly(after=4), "stream", "broke off"),
        (Malformed(after=4), "stream", "broke off"),
        (Malformed(after=4, data='{"type": "content_block_delta"}'), "stream", "broke off"),
        (too_long(210_000, 200_000), "too_long", "210,000 tokens"),
    ],
    ids=str,
)
async def test_each_fault_is_named_and_leaves_no_reply(step: Step, kind: str, words: str) -> None:
    error = await failure(step)
    assert error.kind == kind
    assert words in str(error)


async def test_a_rate_limit_says_how_long_to_wait() -> None:
    error = await failure(Status(429, "slow down", retry_after=7))
    assert (error.kind, error.retry_after) == ("rate_limit", 7.0)


@pytest.mark.parametrize("after", range(8))
async def test_a_stream_cut_anywhere_gives_no_reply(after: int) -> None:
    whole = reply(Say("x" * 24), Call("read", {"path": "y"}))
    assert (await failure(EndEarly(after, whole))).kind == "stream"


async def test_a_connection_that_breaks_after_the_message_takes_nothing_from_it() -> None:
    events = 7  # start, ping, block start, one delta, block stop, message delta, stop
    async with ClaudeServer(Cut(events, say("hi"))) as server:
        talk = Talk(server)
        assert (await talk.say("go")).blocks == (Text("hi"),)
        await talk.claude.close()


async def test_silence_is_a_timeout() -> None:
    async with ClaudeServer(Held(Gate(), HALF, after=3)) as server:
        talk = Talk(server, options=ClaudeOptions(timeout=0.05))
        with pytest.raises(ModelError) as caught:
            await talk.say("go")
        await talk.claude.close()
    assert caught.value.kind == "timeout"


async def test_no_server_is_a_network_error_that_names_the_address() -> None:
    async with ClaudeServer() as server:
        environment = server.env
    claude = Claude(environment=environment)
    with pytest.raises(ModelError) as caught:
        await anext(claude.reply(asks(user("go"))))
    await claude.close()
    assert caught.value.kind == "network"
    assert environment["ANTHROPIC_BASE_URL"] in str(caught.value)


async def test_a_wrong_key_is_refused_and_said() -> None:
    async with ClaudeServer() as server:
        claude = Claude(environment={**server.env, "ANTHROPIC_API_KEY": "wrong"})
        with pytest.raises(ModelError) as caught:
            await anext(claude.reply(asks(user("go"))))
        await claude.close()
    assert caught.value.kind == "auth"
    assert "wrong" not in str(caught.value)


async def test_an_auth_token_serves_as_well_as_a_key() -> None:
    async with ClaudeServer(api_key="secret") as server:
        claude = Claude(
            environment={"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_AUTH_TOKEN": "secret"}
        )
        items = [item async for item in claude.reply(asks(user("go")))]
        await claude.close()
    assert isinstance(items[-1], Reply)


async def test_a_server_on_this_machine_needs_no_key() -> None:
    async with ClaudeServer(api_key="none") as server:
        claude = Claude(environment={"ANTHROPIC_BASE_URL": server.url})
        items = [item async for item in claude.reply(asks(user("go")))]
        await claude.close()
    assert isinstance(items[-1], Reply)


async def test_without_a_key_it_says_how_to_set_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))
    claude = Claude(environment={})
    with pytest.raises(ModelError) as caught:
        await anext(claude.reply(asks(user("go"))))
    await claude.close()
    assert caught.value.kind == "auth"
    assert "set ANTHROPIC_API_KEY" in str(caught.value)


async def test_a_model_that_is_not_there_is_met_with_a_suggestion() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server, "claude-sonet-5")
        with pytest.raises(ModelError) as caught:
            await talk.say("go")
        await talk.claude.close()
    assert caught.value.kind == "model"
    assert "Did you mean 'claude-sonnet-5'?" in str(caught.value)


async def test_a_server_without_a_messages_api_is_told_from_a_missing_model() -> None:
    async with ClaudeServer() as server:
        url = f"{server.url}/somewhere/else"
        claude = Claude(environment={**server.env, "ANTHROPIC_BASE_URL": url})
        with pytest.raises(ModelError) as caught:
            await anext(claude.reply(asks(user("go"))))
        await claude.close()
    assert caught.value.kind == "invalid"
    assert "ANTHROPIC_BASE_URL" in str(caught.value)


async def test_cancelling_closes_the_connection_at_once() -> None:
    heard = asyncio.Event()

    async def listen(talk: Talk) -> None:
        async for item in talk.claude.reply(asks(user("go"))):
            if isinstance(item, TextDelta):
                heard.set()

    async with ClaudeServer(Held(Gate(), HALF, after=4)) as server:
        talk = Talk(server)
        call = asyncio.create_task(listen(talk))
        await heard.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await server.messages[0].left.wait()
        assert (await talk.say("again")).stop == "end_turn"
        await talk.claude.close()


async def test_closing_the_stream_closes_the_connection() -> None:
    async with ClaudeServer(Held(Gate(), HALF, after=4)) as server:
        claude = Claude(environment=server.env)
        async with aclosing(claude.reply(asks(user("go")))) as stream:
            assert isinstance(await anext(stream), Started)
        await server.messages[0].left.wait()
        await claude.close()


async def test_calls_one_after_the_other_share_a_connection() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        await talk.say("one")
        await talk.say("two")
        assert server.connections == 1
        await talk.claude.close()


async def test_the_first_call_needs_no_preparation_and_preparing_twice_does_no_harm() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        await asyncio.gather(talk.claude.prepare(), talk.claude.prepare(), talk.say("go"))
        await talk.claude.close()
        await talk.claude.close()
        assert len(server.messages) == 1


async def test_the_limits_of_a_model_are_asked_of_the_api() -> None:
    async with ClaudeServer() as server:
        claude = Claude(environment=server.env)
        limits = await claude.describe("anthropic:claude-haiku-4-5")
        nothing = await claude.describe("claude-nowhere")
        await claude.close()
    assert limits is not None
    assert (limits.window, limits.max_output) == (200_000, 64_000)
    assert nothing is None


async def test_a_result_of_every_kind_is_taken() -> None:
    async with ClaudeServer(
        reply(*(Call("read", {"path": path}) for path in ("a", "b", "c")))
    ) as server:
        talk = Talk(server)
        answer = await talk.say("go")
        first, second, third = (b.id for b in answer.blocks if isinstance(b, ToolCall))
        pdf = Opaque(
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "aGk="},
            }
        )
        await talk.say(
            ToolResult(first, (Text("text"), Image("image/png", PIXEL))),
            ToolResult(second, (Text(""),)),
            ToolResult(third, (pdf,), failed=True),
            "and what I wanted to add",
        )
        await talk.claude.close()
        assert server.refusals == []
