"""Answers as people and programs write them."""

import json
from itertools import count

import pytest

from octochat.context.session.content import Text, ToolCall
from octochat.models.seat.answer import Answer, AnswerError, from_json, from_markdown

READ = ToolCall("c1", "read", {"file_path": "a.txt"})


def markdown(text: str) -> Answer:
    return from_markdown(text, (f"c{n}" for n in count(1)))


def data(value: object) -> Answer:
    return from_json(json.dumps(value), (f"c{n}" for n in count(1)))


def test_text_alone_ends_the_turn() -> None:
    assert markdown("\nIt says hello.\n\n- twice\n") == Answer(
        (Text("It says hello.\n\n- twice"),), "end_turn"
    )


@pytest.mark.parametrize(
    "block",
    [
        '```tool\n{"name": "read", "input": {"file_path": "a.txt"}}\n```',
        '```tool\n{"name": "read", "arguments": {"file_path": "a.txt"}}\n```',
        '```tool\n[{"name": "read", "parameters": {"file_path": "a.txt"}}]\n```',
        '```tool read\n{"file_path": "a.txt"}\n```',
        '~~~~ tool read\n{"file_path": "a.txt"}\n~~~~',
    ],
)
def test_a_call_is_a_fenced_block(block: str) -> None:
    assert markdown(f"I look.\n\n{block}\n") == Answer((Text("I look."), READ), "tool_use")


def test_several_blocks_are_several_calls_and_text_between_them_stands_before() -> None:
    answer = markdown("one\n```tool read\n{}\n```\ntwo\n```tool glob\n```\n")
    assert answer.blocks == (Text("one\ntwo"), ToolCall("c1", "read"), ToolCall("c2", "glob"))


def test_a_string_may_go_over_lines_and_hold_fences() -> None:
    written = markdown('````tool write\n{"content": "a\n```\nb"}\n````').blocks[0]
    assert written == ToolCall("c1", "write", {"content": "a\n```\nb"})


def test_a_call_inside_of_another_block_is_text() -> None:
    shown = "````markdown\n```tool read\n{}\n```\n````"
    assert markdown(shown) == Answer((Text(shown),), "end_turn")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" \n", "The answer is empty"),
        ("```tool read\n{}", "The call in line 1 has no closing fence"),
        ("\n```tool\n{,}\n```", "The call in line 2 is no JSON"),
        ('```tool read\n{"n": NaN}\n```', "NaN is not a JSON number"),
        ('```tool\n{"input": {}}\n```', 'needs a "name"'),
        ("```tool\n3\n```", 'needs a "name"'),
        ("```tool read\n[]\n```", 'the "input" of read must be a JSON object'),
    ],
)
def test_what_cant_be_read_is_told(text: str, why: str) -> None:
    with pytest.raises(AnswerError, match=why):
        markdown(text)


def test_json_has_a_short_form_and_the_form_of_the_api() -> None:
    short = {"text": "I look.", "calls": [{"name": "read", "input": {"file_path": "a.txt"}}]}
    blocks = [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "c1", "name": "read", "input": {"file_path": "a.txt"}},
    ]
    assert data(short) == data({"content": blocks}) == Answer((Text("I look."), READ), "tool_use")
    assert data({"text": "so far", "stop_reason": "max_tokens"}).stop == "max_tokens"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([], "must hold a JSON object"),
        ({}, "The answer is empty"),
        ({"calls": {}}, '"calls" must be a list'),
        ({"content": [{"type": "image"}]}, "neither text nor a call"),
        ({"text": "x", "stop_reason": "failed"}, "it can be end_turn, "),
    ],
)
def test_json_of_another_form_is_refused(value: object, why: str) -> None:
    with pytest.raises(AnswerError, match=why):
        data(value)
