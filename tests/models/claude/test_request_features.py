"""What a request asks for beside an answer, and the header that each of it needs."""

from dataclasses import replace
from typing import Any

import pytest

from octochat.context.session.content import Message, Opaque, Text, ToolCall, ToolResult
from octochat.context.session.events import ToolDefinition
from octochat.models.catalogue import info
from octochat.models.claude.request import (
    COMPACTION_BETA,
    EFFORT_BETA,
    INLINE_BETA,
    TOOLS_BETA,
    betas,
    body,
)
from octochat.models.port import ModelError, Request
from tests.claude_talk import READ, asks, assistant, user

OPUS = "claude-opus-5"
LATER = ToolDefinition("issue", "File an issue.", {"type": "object"}, "deferred")
REFERENCE = Opaque(
    {"type": "tool_addition", "tool": {"type": "tool_reference", "name": LATER.name}}
)
DEFINITION = Opaque(
    {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": {"name": "late"}}}
)
SCHEMA = {"type": "object", "additionalProperties": False}


def system(*blocks: Opaque, effort: str = "") -> Message:
    return Message("system", blocks, effort)


def made(request: Request) -> dict[str, Any]:
    return body(request, info(request.model))


def headers(request: Request) -> tuple[str, ...]:
    return betas(request, made(request))


def test_a_tool_that_is_shown_later_says_so_and_is_never_marked() -> None:
    tools = (replace(READ, name="a"), replace(READ, name="b"), LATER)
    sent = made(asks(user("hi"), model=OPUS, system=" \n", tools=tools))["tools"]
    assert [tool.get("defer_loading") for tool in sent] == [None, None, True]
    assert ["cache_control" in tool for tool in sent] == [False, True, False]


@pytest.mark.parametrize(
    ("blocks", "wanted"),
    [
        ((REFERENCE,), (TOOLS_BETA,)),
        ((DEFINITION,), (TOOLS_BETA, INLINE_BETA)),
        ((REFERENCE, DEFINITION), (TOOLS_BETA, INLINE_BETA)),
    ],
)
def test_a_tool_in_mid_conversation_needs_a_header_and_one_told_there_another(
    blocks: tuple[Opaque, ...], wanted: tuple[str, ...]
) -> None:
    assert headers(asks(user("hi"), system(*blocks), model=OPUS)) == wanted


def test_a_change_of_effort_stands_alone_or_beside_tools() -> None:
    alone = asks(user("hi"), system(effort="high"), model=OPUS)
    effort = {"output_config": {"effort": "high"}}
    assert made(alone)["messages"][1] == {"role": "system", **effort}
    assert headers(alone) == (EFFORT_BETA,)
    both = asks(user("hi"), system(REFERENCE, effort="high"), model=OPUS)
    assert made(both)["messages"][1] == {"role": "system", "content": [REFERENCE.raw], **effort}
    assert headers(both) == (EFFORT_BETA, TOOLS_BETA)


def test_what_needs_no_header_sends_none() -> None:
    document = Opaque({"type": "document", "source": {"type": "text", "data": "hi"}})
    talk = (user("a"), assistant("b"), user(document, "c"))
    assert headers(asks(*talk, model=OPUS, effort="high", schema=SCHEMA)) == ()


@pytest.mark.parametrize(
    ("model", "more", "output"),
    [
        (OPUS, {}, None),
        (OPUS, {"effort": "low"}, {"effort": "low"}),
        (
            OPUS,
            {"effort": "low", "schema": SCHEMA},
            {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
        ),
        (OPUS, {"schema": {}}, {"format": {"type": "json_schema", "schema": {}}}),
        (OPUS, {"effort": "low", "schema": SCHEMA, "compaction": True}, {"effort": "low"}),
        ("claude-opus-9", {"schema": SCHEMA}, None),
    ],
)
def test_effort_and_form_of_the_answer_are_asked_for_together(
    model: str, more: dict[str, Any], output: dict[str, Any] | None
) -> None:
    assert made(asks(user("hi"), model=model, **more)).get("output_config") == output


@pytest.mark.parametrize(
    ("model", "follows", "asked"),
    [
        (OPUS, "msg_1", {"previous_message_id": "msg_1"}),
        (OPUS, "", None),
        ("claude-opus-9", "msg_1", None),
    ],
)
def test_why_the_cache_missed_is_asked_of_a_known_model_where_it_should_not_have(
    model: str, follows: str, asked: dict[str, str] | None
) -> None:
    assert made(asks(user("hi"), model=model, follows=follows)).get("diagnostics") == asked


@pytest.mark.parametrize("last", [assistant("b"), user("b")])
def test_a_conversation_is_compacted_wherever_it_stands(last: Message) -> None:
    talk = (user("a"), last) if last.role == "assistant" else (user("a"), assistant("c"), last)
    request = asks(*talk, model=OPUS, compaction=True)
    assert made(request)["messages"][-1]["role"] == last.role
    assert headers(request) == (COMPACTION_BETA,)


def test_of_no_conversation_nothing_is_compacted() -> None:
    with pytest.raises(ModelError) as caught:
        made(asks(model=OPUS, compaction=True))
    assert str(caught.value) == (
        "The conversation can't be sent: there are no messages. /undo takes a prompt back."
    )


@pytest.mark.parametrize(
    ("model", "thinking"),
    [("claude-opus-4-6", {"type": "disabled"}), ("claude-haiku-4-5", None)],
)
def test_a_model_that_would_think_by_itself_is_told_not_to_where_words_are_chosen(
    model: str, thinking: dict[str, str] | None
) -> None:
    assert made(asks(user("hi"), model=model, temperature=0.0)).get("thinking") == thinking


def test_arguments_are_mended_at_every_depth_and_stay_what_they_are() -> None:
    given: dict[str, Any] = {"é\ud83d": [{"é": "é\ud83d"}, 1, None, True], "plain": ("x",)}
    call = ToolCall("t1", "read", given)
    talk = (user("hi"), assistant(call), user(ToolResult("t1", (Text(""), Text("seen")))))
    _, said, result = made(asks(*talk))["messages"]
    assert said["content"][0]["input"] == {
        "é\ufffd": [{"é": "é\ufffd"}, 1, None, True],
        "plain": ["x"],
    }
    assert result["content"][0] == {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": "seen"}],
    } | {"cache_control": {"type": "ephemeral", "ttl": "5m"}}
