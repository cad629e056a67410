"""Stream events to a reply: whatever is missing or makes no sense, there is no reply."""

from typing import Any

import pytest

from octochat.context.session.content import Opaque, Text, Thinking, ToolCall
from octochat.context.session.events import Usage
from octochat.models.claude.stream import Incoming
from octochat.models.port import (
    CallDelta,
    ModelError,
    Notice,
    Reply,
    Started,
    TextDelta,
    ThinkingDelta,
)

START = {
    "type": "message_start",
    "message": {"id": "msg_1", "usage": {"input_tokens": 7, "output_tokens": 1}},
}
STOP = {"type": "message_stop"}


def opened(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def grown(index: int, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def closed(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def ended(stop: str | None = "end_turn", **delta: Any) -> dict[str, Any]:
    usage = {"output_tokens": 9}
    return {"type": "message_delta", "delta": {"stop_reason": stop, **delta}, "usage": usage}


def heard(*events: object) -> tuple[list[object], Incoming]:
    incoming = Incoming()
    return [delta for event in events for delta in incoming.feed(event)], incoming


def answered(*events: object) -> Reply:
    return heard(START, *events, ended(), STOP)[1].reply()


TEXT = (opened(0, type="text", text=""), grown(0, type="text_delta", text="hi"), closed(0))


def test_a_whole_stream_is_a_reply() -> None:
    assert answered(*TEXT) == Reply((Text("hi"),), Usage(fresh=7, output=9), "end_turn", "msg_1")


def test_the_bill_so_far_is_known_as_soon_as_the_stream_begins() -> None:
    deltas, _ = heard(START)
    assert deltas == [Started(Usage(fresh=7, output=1))]


@pytest.mark.parametrize("count", range(6))
def test_a_stream_that_ends_anywhere_before_its_end_is_no_reply(count: int) -> None:
    _, incoming = heard(*(START, *TEXT, ended(), STOP)[:count])
    with pytest.raises(ModelError) as caught:
        incoming.reply()
    assert caught.value.kind == "stream"


def test_a_block_that_does_not_end_makes_no_reply() -> None:
    _, incoming = heard(START, *TEXT[:2], ended(), STOP)
    with pytest.raises(ModelError):
        incoming.reply()


def test_one_block_of_several_that_does_not_end_makes_no_reply_either() -> None:
    _, incoming = heard(START, *TEXT, opened(1, type="text", text="and"), ended(), STOP)
    with pytest.raises(ModelError):
        incoming.reply()


@pytest.mark.parametrize(
    "event",
    [
        {"type": "content_block_delta", "index": 5, "delta": {"type": "text_delta", "text": "x"}},
        {"type": "content_block_delta", "index": 0},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 3}},
        {"type": "content_block_start", "index": "0", "content_block": {"type": "text"}},
        {"type": "message_delta"},
        {"no": "type"},
        ["no", "object"],
        "no object either",
    ],
)
def test_an_event_that_makes_no_sense_ends_the_call(event: object) -> None:
    with pytest.raises(ModelError) as caught:
        heard(START, TEXT[0], event)
    assert caught.value.kind == "stream"


def test_nothing_may_come_before_the_start() -> None:
    with pytest.raises(ModelError):
        heard(TEXT[0])


def test_events_that_are_not_known_are_ignored() -> None:
    assert answered(*TEXT, {"type": "something_new", "x": 1}).blocks == (Text("hi"),)


def test_a_reply_without_a_stop_reason_is_none() -> None:
    _, incoming = heard(START, *TEXT, ended(None), STOP)
    with pytest.raises(ModelError):
        incoming.reply()


def test_a_stop_reason_that_is_not_known_ends_the_turn() -> None:
    _, incoming = heard(START, *TEXT, ended("tired"), STOP)
    assert incoming.reply().stop == "end_turn"


CALL = (
    opened(0, type="tool_use", id="t1", name="read", input={}),
    grown(0, type="input_json_delta", partial_json='{"path": '),
    grown(0, type="input_json_delta", partial_json='"x"}'),
    closed(0),
)


def test_arguments_that_come_in_pieces_are_put_together() -> None:
    assert answered(*CALL).blocks == (ToolCall("t1", "read", {"path": "x"}),)


def test_a_call_beside_words_is_answered_also_after_a_stop_that_is_not_known() -> None:
    call = opened(1, type="tool_use", id="t1", name="read", input={})
    _, incoming = heard(START, *TEXT, call, closed(1), ended("tired"), STOP)
    assert incoming.reply().stop == "tool_use"


def test_a_call_can_be_shown_before_its_arguments_have_come() -> None:
    deltas, _ = heard(START, CALL[0])
    assert deltas[1:] == [CallDelta("t1", "read", "")]


def test_a_server_may_give_the_arguments_in_one_piece() -> None:
    whole = opened(0, type="tool_use", id="t1", name="read", input={"path": "x"})
    assert answered(whole, closed(0)).blocks == (ToolCall("t1", "read", {"path": "x"}),)


@pytest.mark.parametrize("stop", ["max_tokens", "refusal", "model_context_window_exceeded"])
def test_a_call_that_was_cut_off_is_left_out(stop: str) -> None:
    _, incoming = heard(START, *CALL[:2], closed(0), ended(stop), STOP)
    assert incoming.reply().blocks == ()


def test_arguments_that_are_no_json_make_the_whole_answer_worthless() -> None:
    _, incoming = heard(START, *CALL[:2], closed(0), ended("tool_use"), STOP)
    with pytest.raises(ModelError) as caught:
        incoming.reply()
    assert caught.value.kind == "stream"


def test_thinking_keeps_its_signature_and_may_be_empty() -> None:
    reply = answered(
        opened(0, type="thinking", thinking="", signature=""),
        grown(0, type="signature_delta", signature="sig"),
        closed(0),
    )
    assert reply.blocks == (Thinking("", "sig"),)


def test_thinking_may_come_whole_in_the_first_event_of_its_block() -> None:
    whole = opened(0, type="thinking", thinking="hm", signature="sig")
    deltas, incoming = heard(START, whole, closed(0), ended(), STOP)
    assert deltas[1:-1] == [ThinkingDelta("hm")]
    assert incoming.reply().blocks == (Thinking("hm", "sig"),)


def test_thinking_that_is_encrypted_is_thinking_all_the_same() -> None:
    reply = answered(opened(0, type="redacted_thinking", data="secret"), closed(0))
    assert reply.blocks == (Thinking("", "secret", redacted=True),)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ({"type": "tools_changed", "cache_missed_input_tokens": 41_000}, "the tools changed"),
        ({"type": "tools_changed", "cache_missed_input_tokens": 0}, ""),
        ({"type": "previous_message_not_found"}, ""),
        ({"type": "unavailable"}, ""),
        ({"type": "unavailable", "cache_missed_input_tokens": 41_000}, ""),
        (None, ""),
    ],
)
def test_an_unexpected_miss_of_the_cache_is_told_with_its_reason(
    reason: dict[str, Any] | None, words: str
) -> None:
    message: Any = START["message"]
    missed = {**message, "diagnostics": {"cache_miss_reason": reason}}
    deltas, _ = heard({"type": "message_start", "message": missed})
    notices = [delta.text for delta in deltas if isinstance(delta, Notice)]
    assert [words in notice and "41.0k" in notice for notice in notices] == [True] * bool(words)


def test_an_empty_text_is_no_block() -> None:
    assert answered(opened(0, type="text", text=""), closed(0)).blocks == ()


def test_what_is_not_modelled_is_kept_in_the_form_in_which_it_is_taken_back() -> None:
    reply = answered(
        opened(1, type="server_tool_use", id="s1", name="web_search", input={}, caller={}),
        grown(1, type="input_json_delta", partial_json='{"query": "x"}'),
        closed(1),
        opened(2, type="web_search_tool_result", tool_use_id="s1", content=[], caller=None),
        closed(2),
        opened(3, type="brand_new", value=1, nothing=None),
        closed(3),
    )
    assert [block.raw for block in reply.blocks if isinstance(block, Opaque)] == [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
        {"type": "brand_new", "value": 1},
    ]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "compaction", "content": "so far", "tool_changes": [1]},
        {"type": "mcp_tool_use", "id": "m", "name": "n", "input": {}, "server_name": "s"},
        {"type": "mcp_tool_result", "tool_use_id": "m", "content": [], "is_error": False},
        {"type": "container_upload", "file_id": "f"},
    ],
)
def test_a_block_keeps_every_key_that_is_taken_back(block: dict[str, Any]) -> None:
    signature = grown(0, type="signature_delta", signature="sig")
    signed = {"signature": "sig"} if block["type"] == "compaction" else {}
    kept = answered(opened(0, **block, given_out=1), signature, closed(0)).blocks
    assert kept == (Opaque({**block, **signed}),)


def test_blocks_stand_in_the_order_of_their_numbers() -> None:
    late = (opened(1, type="text", text="2"), closed(1), opened(0, type="text", text="1"))
    assert answered(*late, closed(0)).blocks == (Text("1"), Text("2"))


def test_a_count_that_is_null_at_the_end_leaves_what_was_said_at_the_start() -> None:
    end = {**ended(), "usage": {"input_tokens": None, "output_tokens": 9}}
    assert heard(START, *TEXT, end, STOP)[1].reply().usage == Usage(fresh=7, output=9)


@pytest.mark.parametrize(("number", "blocks"), [(1, "1 block"), (2, "2 blocks")])
def test_what_the_api_left_out_and_why_it_refused_is_said(number: int, blocks: str) -> None:
    dropped = {"type": "thinking_dropped", "path": "x", "reason": "prefix_binding_mismatch"}
    changes = [dropped] * number + [{"type": "something_new"}]
    message: dict[str, Any] = {"id": "msg_1", "usage": {}, "input_transformations": changes}
    explained = ended("refusal", stop_details={"explanation": "too risky"})
    deltas, _ = heard({"type": "message_start", "message": message}, explained)
    notices = [delta.text for delta in deltas if isinstance(delta, Notice)]
    assert notices == [
        f"The API left out {blocks} of earlier thinking.",
        "The API says: too risky",
    ]


def test_text_in_the_first_event_of_a_block_is_not_lost() -> None:
    first = opened(0, type="text", text="hi ")
    deltas, incoming = heard(START, first, *TEXT[1:], ended(), STOP)
    assert deltas[1:-1] == [TextDelta("hi "), TextDelta("hi")]
    assert incoming.reply().blocks == (Text("hi hi"),)


@pytest.mark.parametrize("number", ["1e999", "NaN", "-Infinity"])
def test_a_call_with_a_number_that_json_does_not_have_is_no_answer(number: str) -> None:
    _, incoming = heard(
        START,
        opened(0, type="tool_use", id="t", name="read", input={}),
        grown(0, type="input_json_delta", partial_json=f'{{"n": {number}}}'),
        closed(0),
        ended("tool_use"),
        STOP,
    )
    with pytest.raises(ModelError) as caught:
        incoming.reply()
    assert caught.value.kind == "stream"
