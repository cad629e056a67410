"""What may be sent and what may not: a conversation that is fine, and every rule broken in it.

The rules are those of the Messages API ("A valid request"). The test server has its own reading of
them; at the end the two are held against each other.
"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octochat.context.session.content import (
    Block,
    Image,
    Message,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.validity import problems
from octochat.models.catalogue import info
from octochat.models.claude.request import body
from octochat.models.port import ModelError, Request
from tests.server.conversation import check_conversation
from tests.server.refusal import ApiRefusal

ASKED = Message("user", (Text("build a boat"), Image("image/png", "aGk=")))
CALLED = Message(
    "assistant",
    (Thinking("hm", "s"), Text("so"), ToolCall("a", "read"), ToolCall("b", "read")),
)
ANSWERED = Message("user", (ToolResult("b", ()), ToolResult("a", (Text("wood"),)), Text("quick")))
SAID = Message("assistant", (Thinking("", "r", redacted=True), Text("done")))
THANKS = Message("user", (Text("thanks"),))
TALK = (ASKED, CALLED, ANSWERED, SAID, THANKS)


def with_blocks(place: int, *blocks: Block) -> tuple[Message, ...]:
    """The conversation with other blocks in one message."""
    return tuple(replace(m, blocks=blocks) if n == place else m for n, m in enumerate(TALK))


def test_a_conversation_that_is_fine_has_no_problems() -> None:
    assert problems(TALK) == ()


A, B = ToolResult("a", ()), ToolResult("b", ())


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ((), "there are no messages"),
        (TALK[1:3], "the first message is not the user's"),
        (TALK[:4], "the last message is not the user's"),
        ((ASKED, *TALK), "message 1: the roles do not alternate"),
        (with_blocks(0), "message 0: no content"),
        (with_blocks(3), "message 3: no content"),
        (with_blocks(0, Text("")), "message 0: a text of white space only"),
        (with_blocks(3, Text("so"), Text(" \n\t")), "message 3: a text of white space only"),
        (with_blocks(3, Text("so"), A), "message 3: a ToolResult in a message of the assistant"),
        (with_blocks(0, ToolCall("x", "y")), "message 0: a ToolCall in a message of the user"),
        (with_blocks(0, Thinking("x", "y")), "message 0: a Thinking in a message of the user"),
        (with_blocks(3, Thinking("x", "y")), "message 3: the reply ends with thinking"),
        (with_blocks(3, Text("x"), SAID.blocks[0]), "message 3: the reply ends with thinking"),
        (with_blocks(2, B), "message 2: no result for the call a"),
        (with_blocks(2, Text("no")), "message 2: no result for the call b"),
        (with_blocks(2, B, A, A), "message 2: a tool call is answered twice"),
        (with_blocks(2, A, B, ToolResult("c", ())), "message 2: a result without its call c"),
        (with_blocks(4, A), "message 4: a result without its call a"),
        (with_blocks(2, A, Text("x"), B), "message 2: results must come before anything else"),
        (with_blocks(2, Text("x"), A, B), "message 2: results must come before anything else"),
        (with_blocks(3, ToolCall("a", "read")), "message 3: tool call a appears twice"),
        (TALK[:2], "no result for the calls a, b"),
    ],
)
def test_every_rule_is_kept(messages: tuple[Message, ...], problem: str) -> None:
    assert problem in problems(messages)


OFFER = Opaque({"type": "tool_addition"})
EFFORT, OFFERED = Message("system", (), "high"), Message("system", (OFFER,))
NO_SETTING = "message 1: the system's sets nothing, or says something"


@pytest.mark.parametrize("setting", [EFFORT, OFFERED])
def test_the_system_may_set_effort_and_tools_behind_the_persons_words(setting: Message) -> None:
    assert problems((ASKED, setting, *TALK[1:])) == ()
    assert problems((*TALK, setting)) == ()


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ((ASKED, Message("system", ()), *TALK[1:]), NO_SETTING),
        ((ASKED, Message("system", (Text("x"),)), *TALK[1:]), NO_SETTING),
        ((ASKED, Message("system", (OFFER, Text("x")), "high"), *TALK[1:]), NO_SETTING),
        ((EFFORT, *TALK), "message 0: the system's follows no message of the user"),
        ((*TALK[:4], EFFORT, THANKS), "message 4: the system's follows no message of the user"),
        ((ASKED, EFFORT, THANKS), "message 1: no reply follows the system's"),
        ((ASKED, EFFORT, OFFERED, *TALK[1:]), "message 2: the roles do not alternate"),
        ((*TALK[:4], EFFORT), "the last message is not the user's"),
    ],
)
def test_anywhere_else_the_system_has_nothing_to_say(
    messages: tuple[Message, ...], problem: str
) -> None:
    assert problem in problems(messages)


@pytest.mark.parametrize("fine", range(len(TALK) + 1))
def test_what_was_found_fine_needs_no_other_look(fine: int) -> None:
    calls = frozenset("ab") if fine > 1 else frozenset[str]()
    assert problems(TALK, fine, calls) == ()
    again = (*TALK, Message("assistant", (ToolCall("a", "read"),)), Message("user", (A,)))
    assert problems(again, fine, calls) == ("message 5: tool call a appears twice",)
    unanswered = (*TALK[:2], THANKS)
    if fine <= 2:
        assert "message 2: no result for the call b" in problems(unanswered, fine, calls)


@pytest.mark.parametrize(
    "messages",
    [
        (with_blocks(2, Opaque({"type": "document"}), A, B)),
        (with_blocks(1, ToolCall("a", "x"), ToolCall("a", "x"))),
    ],
)
def test_what_breaks_a_rule_is_not_sent(messages: tuple[Message, ...]) -> None:
    with pytest.raises(ModelError, match="can't be sent"):
        body(Request("m", "s", (), messages, 100), info("claude-sonnet-5-5"))


def test_one_id_twice_in_one_reply_is_found() -> None:
    calls = ToolCall("a", "read"), ToolCall("a", "read")
    assert "message 1: tool call a appears twice" in problems(with_blocks(1, *calls))


def test_a_whole_reply_may_be_a_call_without_words() -> None:
    assert (
        problems((ASKED, Message("assistant", (ToolCall("a", "x"),)), Message("user", (A,)))) == ()
    )


_ids = st.sampled_from("ab")
_said = st.sampled_from((Text("x"), Text(" "), Text("")))
_user: st.SearchStrategy[Block] = _said | st.builds(ToolResult, _ids, st.just(()))
_model: st.SearchStrategy[Block] = (
    _said | st.just(Thinking("t", "s")) | st.builds(ToolCall, _ids, st.just("read"))
)


def _message(role: str) -> st.SearchStrategy[Message]:
    blocks = st.lists(_user if role == "user" else _model, max_size=3).map(tuple)
    return st.builds(Message, st.just(role), blocks)  # pyright: ignore[reportArgumentType]


@settings(max_examples=2_000, deadline=None, database=None)
@given(st.lists(st.tuples(_message("user"), _message("assistant")), max_size=3))
def test_the_server_finds_the_same_conversations_wrong(
    pairs: list[tuple[Message, Message]],
) -> None:
    messages = (*(message for pair in pairs for message in pair), THANKS)
    refused = ""
    try:
        check_conversation([_wire(message) for message in messages])
    except ApiRefusal as refusal:
        refused = str(refusal)
    assert bool(problems(messages)) == bool(refused), (problems(messages), refused)


def _wire(message: Message) -> dict[str, object]:
    """The message as JSON, without the check that `body` makes before."""
    made: list[dict[str, object]] = []
    for block in message.blocks:
        match block:
            case Text(text):
                made.append({"type": "text", "text": text})
            case Thinking(text, signature):
                made.append({"type": "thinking", "thinking": text, "signature": signature})
            case ToolCall(call, name):
                made.append({"type": "tool_use", "id": call, "name": name, "input": {}})
            case ToolResult(call):
                made.append({"type": "tool_result", "tool_use_id": call})
            case Image() | Opaque():
                raise AssertionError(block)
    return {"role": message.role, "content": made}
