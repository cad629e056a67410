"""A request as JSON: what each model is sent, and what it is spared."""

from typing import Any

import pytest

from octochat.context.session.content import Image, Opaque, Text, Thinking, ToolCall, ToolResult
from octochat.models.catalogue import LEAST_BUDGET, MODELS, info
from octochat.models.claude.request import (
    BINDING_BETA,
    COMPACTION_BETA,
    ClaudeOptions,
    betas,
    body,
    closed,
)
from octochat.models.port import ModelError
from tests.claude_talk import asks, assistant, user
from tests.server.shapes import is_list, is_object

BINDING = [model.name for model in MODELS if model.binds_thinking]
CLAUDES = [model.name for model in MODELS if model.name != "offline"]


def sent(*messages: Any, options: ClaudeOptions | None = None, **more: Any) -> dict[str, Any]:
    request = asks(*(messages or [user("hi")]), **more)
    return body(request, info(request.model), options or ClaudeOptions())


def markers(value: Any) -> list[dict[str, Any]]:
    """Every block with a cache marker, in the order of the document."""
    if is_list(value):
        return [found for item in value for found in markers(item)]
    if is_object(value):
        own = [value] if "cache_control" in value else []
        return own + [found for item in value.values() for found in markers(item)]
    return []


@pytest.mark.parametrize(("system", "in_messages"), [("be kind", 3), ("", 4)])
def test_of_four_markers_the_head_has_one_if_there_is_a_head(system: str, in_messages: int) -> None:
    calls = [ToolCall(f"t{n}", "read") for n in range(30)]
    results = [ToolResult(call.id, (Text("x"),)) for call in calls]
    talk = (user("note"), assistant("c"), user("a"), assistant(*calls), user(*results))
    made = sent(*talk, system=system, tools=(), folded=1)
    assert len(markers(made["messages"])) == in_messages
    assert len(markers(made)) == 4


def test_the_conversation_is_sent_block_by_block() -> None:
    call = ToolCall("toolu_1", "read", {"path": "x"})
    result = ToolResult("toolu_1", (Text("text"), Image("image/png", "aGk=")), failed=True)
    messages = sent(user("hi"), assistant(Thinking("hm", "sig"), "ok", call), user(result, "and?"))[
        "messages"
    ]
    assert messages[1]["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "text", "text": "ok"},
        {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "x"}},
    ]
    assert messages[2]["content"][0] == {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": [
            {"type": "text", "text": "text"},
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": "aGk="},
            },
        ],
        "is_error": True,
    }


def test_encrypted_thinking_goes_back_as_it_came() -> None:
    hidden = Thinking("", "secret", redacted=True)
    messages = sent(user("hi"), assistant(hidden, "ok"), user("and?"))["messages"]
    assert messages[1]["content"][0] == {"type": "redacted_thinking", "data": "secret"}


def test_a_result_without_words_is_sent_without_content() -> None:
    call = ToolCall("toolu_1", "read")
    messages = sent(user("hi"), assistant(call), user(ToolResult("toolu_1", (Text(" \n"),))))
    assert "content" not in messages["messages"][2]["content"][0]


def test_half_a_surrogate_pair_is_replaced_because_it_is_no_json() -> None:
    call = ToolCall("toolu_1", "read", {"path": "b\ud83d"})
    messages = sent(user("a\ud800b"), assistant(call), user(ToolResult("toolu_1", ())))["messages"]
    assert messages[0]["content"][0]["text"] == "a\ufffdb"
    assert messages[1]["content"][0]["input"] == {"path": "b\ufffd"}


@pytest.mark.parametrize("model", BINDING)
def test_models_that_bind_thinking_show_it_and_never_get_stuck_on_it(model: str) -> None:
    request = asks(user("hi"), model=model)
    made = body(request, info(model))
    assert made["thinking"] == {
        "type": "adaptive",
        "display": "summarized",
        "block_binding": {"prefix_mismatch_behavior": "drop_block"},
    }
    assert betas(request, made) == (BINDING_BETA,)


@pytest.mark.parametrize("model", ["claude-opus-4-5", "claude-haiku-4-5"])
def test_models_with_a_thinking_budget_get_one_below_what_they_may_write(model: str) -> None:
    assert sent(model=model, options=ClaudeOptions(thinking_budget=3_000))["thinking"] == {
        "type": "enabled",
        "budget_tokens": 3_000,
    }
    assert sent(model=model, max_tokens=3_000)["thinking"]["budget_tokens"] == 1_500
    half = sent(model=model, max_tokens=3_000, options=ClaudeOptions(thinking_budget=3_000))
    assert half["thinking"]["budget_tokens"] == 1_500
    least = sent(model=model, max_tokens=2 * LEAST_BUDGET)["thinking"]
    assert least["budget_tokens"] == LEAST_BUDGET
    assert "thinking" not in sent(model=model, max_tokens=2 * LEAST_BUDGET - 2)


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        ("claude-opus-5", {"type": "disabled"}),
        ("claude-haiku-5-5", {"type": "disabled"}),
        ("claude-haiku-4-5", None),
        ("claude-sonnet-5-5", {"type": "between_tools"}),
    ],
)
def test_thinking_is_turned_off_as_far_as_the_model_allows(
    model: str, thinking: dict[str, str] | None
) -> None:
    assert sent(model=model, options=ClaudeOptions(thinking="off")).get("thinking") == thinking


def test_a_model_that_always_thinks_is_asked_to_show_it_even_when_thinking_is_off() -> None:
    made = sent(model="claude-opus-5-5", options=ClaudeOptions(thinking="off"))
    assert made["thinking"]["type"] == "adaptive"


@pytest.mark.parametrize("model", CLAUDES)
def test_temperature_goes_where_it_is_taken_and_thinking_makes_way_for_it(model: str) -> None:
    made = sent(model=model, temperature=0.3)
    if info(model).takes_sampling:
        assert made["temperature"] == 0.3
        assert made.get("thinking", {"type": "disabled"}) == {"type": "disabled"}
    else:
        assert "temperature" not in made


def test_top_p_and_top_k_go_where_temperature_would() -> None:
    made = sent(model="claude-haiku-4-5", top_p=0.9, top_k=40)
    assert (made["top_p"], made["top_k"]) == (0.9, 40)
    assert "temperature" not in made
    assert not {"top_p", "top_k"} & sent(model="claude-opus-5", top_p=0.9, top_k=40).keys()


@pytest.mark.parametrize("model", CLAUDES)
def test_a_tool_is_never_forced(model: str) -> None:
    assert "tool_choice" not in sent(model=model)


def test_of_an_unknown_model_nothing_is_assumed() -> None:
    made = sent(model="claude-opus-9", temperature=0.3, schema={"type": "object"})
    assert not {"thinking", "temperature", "output_config"} & made.keys()


def test_the_answer_is_no_longer_than_the_model_can_write() -> None:
    assert sent(model="claude-haiku-4-5", max_tokens=1_000_000)["max_tokens"] == 64_000


def test_a_schema_is_closed_at_every_depth() -> None:
    open_schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "list": {"type": "array", "items": {"type": ["object", "null"], "properties": {}}},
        },
    }
    made = sent(schema=open_schema)["output_config"]["format"]
    assert made["type"] == "json_schema"
    assert made["schema"]["additionalProperties"] is False
    assert made["schema"]["properties"]["list"]["items"]["additionalProperties"] is False
    assert made["schema"]["properties"]["type"] == {"type": "string"}
    assert "additionalProperties" not in open_schema


def test_closing_a_schema_takes_no_property_for_a_keyword() -> None:
    schema = {"type": "object", "properties": {"properties": {"type": "string"}}}
    assert closed(schema)["properties"] == {"properties": {"type": "string"}}


def test_one_marker_at_the_end_of_the_system_prompt_covers_the_tools() -> None:
    made = sent()
    assert [block.get("text") for block in markers(made["system"])] == [made["system"][-1]["text"]]
    assert markers(made["tools"]) == []


def test_without_a_system_prompt_the_last_tool_is_marked() -> None:
    made = sent(system="")
    assert "system" not in made
    assert [tool["name"] for tool in markers(made["tools"])] == ["read"]


@pytest.mark.parametrize("ttl", ["5m", "1h"])
def test_all_markers_live_equally_long(ttl: Any) -> None:
    made = sent(user("a"), assistant("b"), user("c"), options=ClaudeOptions(ttl=ttl))
    assert [block["cache_control"]["ttl"] for block in markers(made)] == [ttl] * 3


def test_a_compaction_is_asked_for_without_anything_that_shapes_an_answer() -> None:
    request = asks(user("a"), assistant("b"), compaction=True, schema={"type": "object"})
    made = body(request, info(request.model))
    assert made["compaction"] == {"type": "summarize"}
    assert "output_config" not in made
    assert COMPACTION_BETA in betas(request, made)


def test_a_compaction_block_goes_back_as_it_came_with_its_beta() -> None:
    raw = {"type": "compaction", "content": "so far", "signature": "sig"}
    request = asks(user(Opaque(raw), "go on"))
    made: dict[str, Any] = body(request, info(request.model))
    assert made["messages"][0]["content"][0] == raw
    assert betas(request, made) == (COMPACTION_BETA,)


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [user("  \n")],
        [user("a"), assistant(Thinking("hm", "sig")), user("b")],
        [user("a"), assistant(ToolCall("t", "read")), user("b")],
        [user("a"), assistant("b"), user(ToolResult("t", ()))],
        [user("a"), assistant("b")],
    ],
)
def test_what_the_api_would_refuse_is_not_sent(messages: list[Any]) -> None:
    with pytest.raises(ModelError) as caught:
        body(asks(*messages), info("claude-sonnet-5"))
    assert caught.value.kind == "invalid"
