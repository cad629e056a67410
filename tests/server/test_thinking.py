"""Preserved thinking and compaction: what may change before a signed block, and what may not."""

from typing import Any

import pytest

from tests.server import Call, ClaudeServer, Json, Redacted, Say, Think, reply, say
from tests.server.raw import assistant, marked, post, request, result, text, tool, use, user
from tests.server.validate import BINDING_BETA, COMPACT_BETA

BINDS = "claude-opus-5-5"
FREE = "claude-opus-5"
SHOWN = {"type": "adaptive", "display": "summarized"}
DROP = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}


def thought(word: str = "words") -> Any:
    return reply(Think(f"thinking of {word}"), Say(word))


async def ask(server: ClaudeServer, messages: list[Json], model: str = BINDS, **more: Any) -> Json:
    betas: tuple[str, ...] = more.pop("betas", (COMPACT_BETA, BINDING_BETA))
    _, answer = await post(server, request(*messages, model=model, **more), betas=betas)
    return answer


async def talk(server: ClaudeServer, turns: int, **more: Any) -> list[Json]:
    """A conversation of this many exchanges, every reply with thinking, and a next prompt."""
    messages: list[Json] = [user("prompt 0")]
    for turn in range(1, turns + 1):
        server.then(thought(str(turn)))
        answer = await ask(server, messages, **more)
        messages += [assistant(answer["content"]), user(f"prompt {turn}")]
    return messages


def without_thinking(message: Json) -> Json:
    blocks = [block for block in message["content"] if block["type"] != "thinking"]
    return assistant(blocks)


def is_bound(answer: Json) -> bool:
    return "bound to a different conversation" in answer.get("error", {}).get("message", "")


async def test_a_conversation_sent_back_exactly_stays_valid() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 3)
        answer = await ask(server, messages)
    assert answer["input_transformations"] == []
    assert server.refusals == []


async def test_cache_markers_and_strings_as_blocks_are_no_change() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 2)
        messages[0] = user([marked(text("prompt 0"))])
        assert "error" not in await ask(server, messages)


@pytest.mark.parametrize("change", ["message", "system", "tools", "order"])
async def test_a_changed_prefix_is_refused(change: str) -> None:
    async with ClaudeServer() as server:
        first, second = tool("a"), tool("b")
        messages = await talk(server, 2, system="be brief", tools=[first, second])
        settings: Json = {"system": "be brief", "tools": [first, second]}
        match change:
            case "message":
                messages[0] = user("another prompt")
            case "system":
                settings["system"] = "be long"
            case "tools":
                settings["tools"] = [first]
            case _:
                settings["tools"] = [second, first]
        assert is_bound(await ask(server, messages, **settings))


async def test_a_changed_reply_invalidates_the_thinking_after_it() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 2)
        messages[1]["content"][-1] = text("I never said that")
        answer = await ask(server, messages)
    assert "messages.3.content.0" in answer["error"]["message"]


async def test_thinking_left_out_from_the_start_is_no_change() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 3)
        messages[1] = without_thinking(messages[1])
        messages[3] = without_thinking(messages[3])
        assert "error" not in await ask(server, messages)


async def test_thinking_left_out_from_the_middle_is_refused() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 3)
        messages[3] = without_thinking(messages[3])
        assert is_bound(await ask(server, messages))


async def test_after_a_fold_old_thinking_goes_and_new_thinking_stays() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 3)
        folded = [user("what was said so far"), *messages[2:]]
        assert is_bound(await ask(server, folded))
        clean = [without_thinking(each) if each["role"] == "assistant" else each for each in folded]
        for turn in range(2):
            server.then(thought(f"new {turn}"))
            answer = await ask(server, clean)
            clean += [assistant(answer["content"]), user("and then?")]
        assert "error" not in await ask(server, clean)
        assert [block["type"] for block in clean[-2]["content"]] == ["thinking", "text"]


async def test_thinking_put_back_after_a_fold_is_refused() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 1)
        bare = [messages[0], without_thinking(messages[1]), messages[2]]
        server.then(thought("new"))
        answer = await ask(server, bare)
        messages += [assistant(answer["content"]), user("next")]
        assert is_bound(await ask(server, messages))


async def test_drop_block_drops_and_reports() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 2)
        messages[0] = user("another prompt")
        answer = await ask(server, messages, thinking=DROP)
        assert [each["path"] for each in answer["input_transformations"]] == [
            "messages.1.content.0",
            "messages.3.content.0",
        ]
        assert answer["input_transformations"][0]["reason"] == "prefix_binding_mismatch"
        server.then(thought("new"))
        answer = await ask(server, messages, thinking=DROP)
        messages += [assistant(answer["content"]), user("next")]
        answer = await ask(server, messages, thinking=DROP)
    assert len(answer["input_transformations"]) == 2


async def test_dropped_thinking_costs_nothing() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 1, thinking=SHOWN)
        whole = await ask(server, messages)
        messages[0] = user("PROMPT 0")
        dropped = await ask(server, messages, thinking=DROP)
    lost = server.bill[0].usage.thinking
    assert whole["usage"]["input_tokens"] - dropped["usage"]["input_tokens"] == lost


async def test_a_reply_costs_as_much_when_it_is_sent_back() -> None:
    script = reply(Think("a long hidden thought"), Say("so"), Call("read", {"path": "a"}))
    async with ClaudeServer(script) as server:
        first = await ask(server, [user("hi")])
        last = user([result(first["content"][-1]["id"])])
        await ask(server, [user("hi"), assistant(first["content"]), last])
        size = server.ruler.block(last["content"][0], server.models[BINDS])
    before, after = (charge.usage for charge in server.bill)
    assert after.prompt == before.prompt + before.output + size
    assert before.thinking > server.ruler.text("a long hidden thought")


@pytest.mark.parametrize("model", [BINDS, FREE])
@pytest.mark.parametrize("key", ["signature", "thinking"])
async def test_an_altered_block_is_refused_on_every_model(model: str, key: str) -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 1, model=model, thinking=SHOWN)
        messages[1]["content"][0][key] += "A"
        answer = await ask(server, messages, model, thinking=DROP)
    assert "Invalid `signature` in `thinking` block" in answer["error"]["message"]


async def test_a_model_that_does_not_bind_takes_a_changed_prefix() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 2, model=FREE, thinking=SHOWN)
        messages[0] = user("another prompt")
        assert "error" not in await ask(server, messages, FREE)


async def test_the_thinking_of_another_model_is_dropped() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 1)
        answer = await ask(server, messages, FREE)
        assert answer["input_transformations"][0]["reason"] == "model_binding_mismatch"
        silent = await ask(server, messages, FREE, betas=())
        assert "input_transformations" not in silent
        assert "error" not in await ask(server, messages)


async def test_thinking_is_omitted_by_default_only_where_it_binds() -> None:
    async with ClaudeServer(thought(), thought()) as server:
        bound = await ask(server, [user("hi")])
        free = await ask(server, [user("hi")], FREE, thinking={"type": "adaptive"})
    assert bound["content"][0]["thinking"] == ""
    assert free["content"][0]["thinking"] == "thinking of words"


async def test_a_model_that_may_not_think_does_not() -> None:
    async with ClaudeServer(thought()) as server:
        answer = await ask(server, [user("hi")], FREE, thinking={"type": "disabled"})
    assert [block["type"] for block in answer["content"]] == ["text"]
    assert answer["usage"]["output_tokens_details"] == {"thinking_tokens": 0}


@pytest.mark.parametrize(("model", "is_refused"), [(FREE, True), (BINDS, False)])
async def test_in_an_open_tool_loop_the_latest_thinking_stays(model: str, is_refused: bool) -> None:
    async with ClaudeServer(reply(Think("hm"), Call("read"))) as server:
        settings: Json = {"tools": [tool()], "thinking": SHOWN}
        answer = await ask(server, [user("hi")], model, **settings)
        call = answer["content"][-1]
        back = [user("hi"), assistant([call]), user([result(call["id"])])]
        answer = await ask(server, back, model, **settings)
        assert ("error" in answer) is is_refused
        first = server.messages[0].message
        assert first is not None
        whole = [user("hi"), assistant(first["content"]), back[-1]]
        assert "error" not in await ask(server, whole, model, **settings)


async def test_signatures_outlive_the_process() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 1)
    async with ClaudeServer() as server:
        assert "error" not in await ask(server, messages)
        assert "error" in await ask(server, [user("other"), *messages[1:]])


SUMMARIZE: Json = {"compaction": {"type": "summarize"}}


async def test_compaction_keeps_the_thinking_of_the_turns_that_follow() -> None:
    async with ClaudeServer() as server:
        messages = await talk(server, 3)
        server.then(say("the summary"))
        answer = await ask(server, messages[:4], **SUMMARIZE)
        assert (answer["stop_reason"], answer["content"][0]["content"]) == (
            "compaction",
            "the summary",
        )
        swapped = [assistant(answer["content"]), *messages[4:]]
        server.then(thought("new"))
        answer = await ask(server, swapped)
        swapped += [assistant(answer["content"]), user("next")]
        assert "error" not in await ask(server, swapped)
        assert is_bound(await ask(server, swapped, system="another"))
        assert is_bound(await ask(server, [swapped[0], user("between"), *swapped[1:]]))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("forge", "compaction_signature_invalid"),
        ("edit", "compaction_content_mismatch"),
        ("move", "compaction_block_misplaced"),
        ("repeat", "compaction_block_ambiguous"),
    ],
)
async def test_a_compaction_block_goes_back_as_it_came(change: str, code: str) -> None:
    async with ClaudeServer(say("the summary")) as server:
        block = (await ask(server, [user("hi")], **SUMMARIZE))["content"][0]
        messages = {
            "forge": [assistant([block | {"signature": "x"}]), user("next")],
            "edit": [assistant([block | {"content": "x"}]), user("next")],
            "move": [user("hi"), assistant([block]), user("next")],
            "repeat": [assistant([block, block]), user("next")],
        }[change]
        answer = await ask(server, messages)
    assert answer["error"]["details"] == {"error_code": code}


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        (
            [assistant([{"type": "compaction", "content": None}])],
            "compaction_nothing_to_summarize",
        ),
        ([user("hi"), assistant([text("x"), use()])], "compaction_incomplete_turn"),
    ],
)
async def test_not_everything_can_be_compacted(messages: list[Json], code: str) -> None:
    async with ClaudeServer() as server:
        answer = await ask(server, messages, **SUMMARIZE)
    assert answer["error"]["details"] == {"error_code": code}


@pytest.mark.parametrize(("place", "why"), [(1, "Invalid `data`"), (0, "different conversation")])
async def test_encrypted_thinking_is_checked_like_any_other(place: int, why: str) -> None:
    async with ClaudeServer(reply(Redacted("secret"), Say("so"))) as server:
        answer = await ask(server, [user("hi")])
        messages = [user("hi"), assistant(answer["content"]), user("on")]
        assert "error" not in await ask(server, messages)
        other = {"type": "redacted_thinking", "data": answer["content"][0]["data"] + "x"}
        messages[place] = assistant([other, text("so")]) if place else user("hello")
        assert why in (await ask(server, messages))["error"]["message"]
