"""Claude over real HTTP, against a server that refuses what the API refuses."""

from math import isclose

import pytest

from octochat.context.session.content import Image, Opaque, Text, Thinking, ToolCall, ToolResult
from octochat.models.catalogue import MODELS, info
from octochat.models.claude.model import Claude
from octochat.models.port import (
    CallDelta,
    Notice,
    Started,
    TextDelta,
    ThinkingDelta,
)
from tests.claude_talk import Talk, user
from tests.server import (
    Call,
    ClaudeServer,
    Say,
    Think,
    reply,
    say,
)
from tests.server.script import Stop

CLAUDES = [model.name for model in MODELS if model.name != "offline"]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5"
    "ErkJggg=="
)


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
async def test_every_stop_reason_arrives(stop: Stop) -> None:
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
    assert notices == ["The API left out 1 block of earlier thinking."]


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


@pytest.mark.parametrize("sampling", [{"temperature": 0.2}, {"top_p": 0.9, "top_k": 40}])
async def test_sampling_is_taken_where_it_is_sent(sampling: dict[str, float]) -> None:
    async with ClaudeServer() as server:
        for model in CLAUDES:
            talk = Talk(server, model)
            await talk.say("go", **sampling)
            await talk.claude.close()
        assert server.refusals == []


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
