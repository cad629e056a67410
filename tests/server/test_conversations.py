"""What the server refuses in a conversation, and what it takes, over raw HTTP."""

import base64
from typing import Any

import pytest

from tests.server import Json
from tests.server.raw import assistant, refusal, request, result, text, tool, use, user

HELLO = user("hello")
CALLED = (HELLO, assistant([use()]))
SYSTEM = {"role": "system", "content": "be brief"}
PICTURE = base64.b64encode(b"a picture").decode()


def image(media_type: str = "image/png", data: str = PICTURE) -> Json:
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": media_type, "data": data},
    }


def compaction(content: str = "so far", **more: Any) -> Json:
    return {"type": "compaction", "content": content, "signature": "forged", **more}


REFUSED: dict[str, tuple[Json, str]] = {
    "no messages": ({**request(), "messages": []}, "at least one message"),
    "too many messages": (
        {**request(), "messages": [HELLO] * 100_001},
        "at most 100000 messages",
    ),
    "an unknown role": (request({"role": "tool", "content": "x"}), "messages.0.role"),
    "an assistant first": (request(assistant("hi"), HELLO), 'must use the "user" role'),
    "an assistant last": (request(HELLO, assistant("I think")), "prefill"),
    "a prefill with a space at its end": (
        request(HELLO, assistant("I think "), model="claude-haiku-4-5"),
        "trailing whitespace",
    ),
    "an empty string": (request(user("")), "non-empty content"),
    "an empty list": (request(user([])), "non-empty content"),
    "an empty text": (request(user([text("")])), "must be non-empty"),
    "a text of white space": (request(user([text(" \n")])), "non-whitespace"),
    "a string of white space": (request(user("\t")), "non-whitespace"),
    "white space in the system prompt": (request(system=[text(" ")]), "system.0"),
    "an unanswered call": (
        request(*CALLED, user("never mind")),
        "`tool_use` ids were found without `tool_result`",
    ),
    "a call at the end": (
        request(*CALLED, model="claude-haiku-4-5"),
        "`tool_use` ids were found without `tool_result`",
    ),
    "one of two calls unanswered": (
        request(HELLO, assistant([use("a"), use("b")]), user([result("a")])),
        "immediately after: b",
    ),
    "an answer one message too late": (
        request(*CALLED, user("wait"), assistant("yes"), user([result()])),
        "`tool_use` ids were found without",
    ),
    "an orphan result": (request(user([result()])), "unexpected `tool_use_id`"),
    "a result given twice in a message": (
        request(*CALLED, user([result(), result()])),
        "single result",
    ),
    "a result given again later": (
        request(*CALLED, user([result()]), assistant("ok"), user([result()])),
        "unexpected `tool_use_id`",
    ),
    "text before a result": (
        request(*CALLED, user([text("here"), result()])),
        "must come before other content",
    ),
    "text between results": (
        request(
            HELLO, assistant([use("a"), use("b")]), user([result("a"), text("x"), result("b")])
        ),
        "must come before other content",
    ),
    "text in a message before that of the result": (
        request(*CALLED, user("here"), user([result()])),
        "must come before other content",
    ),
    "an id used twice": (
        request(*CALLED, user([result()]), assistant([use()]), user([result()])),
        "ids must be unique",
    ),
    "an id with a space": (
        request(HELLO, assistant([use("a b")]), user([result("a b")])),
        "should match pattern",
    ),
    "a call by the user": (request(user([use()])), "`tool_use` blocks are not permitted"),
    "a result by the assistant": (
        request(HELLO, assistant([result()]), HELLO),
        "`tool_result` blocks are not permitted",
    ),
    "an image by the assistant": (
        request(HELLO, assistant([image()]), HELLO),
        "`image` blocks are not permitted",
    ),
    "an empty text in a result": (
        request(*CALLED, user([result(content=[text("")])])),
        "must be non-empty",
    ),
    "thinking alone": (
        request(HELLO, assistant([{"type": "thinking", "thinking": "", "signature": "x"}]), HELLO),
        "cannot be `thinking`",
    ),
    "thinking at the end": (
        request(
            HELLO,
            assistant([text("so"), {"type": "redacted_thinking", "data": "x"}]),
            HELLO,
        ),
        "cannot be `thinking`",
    ),
    "a system message on a model without them": (
        request(HELLO, SYSTEM, model="claude-sonnet-5"),
        "role 'system' is not supported on this model",
    ),
    "a system message first": (
        request(SYSTEM, HELLO, model="claude-opus-5"),
        "must follow a user message",
    ),
    "a system message after a reply": (
        request(HELLO, assistant("hi"), SYSTEM, HELLO, model="claude-opus-5"),
        "must follow a user message",
    ),
    "a system message before a user's": (
        request(HELLO, SYSTEM, HELLO, model="claude-opus-5"),
        "must be last or precede",
    ),
    "an image in a system message": (
        request(HELLO, {"role": "system", "content": [image()]}, model="claude-opus-5"),
        "`image` blocks are not permitted",
    ),
    "an image of an unknown kind": (request(user([image("image/bmp")])), "media_type"),
    "an image that is no base64": (request(user([image(data="%%%")])), "Invalid base64"),
    "an image that is too big": (
        request(user([image(data=base64.b64encode(bytes(5 * 1024 * 1024 + 1)).decode())])),
        "exceeds 5 MB",
    ),
    "an unknown block": (request(user([{"type": "video"}])), "does not match any of the expected"),
    "a block without a type": (request(user([{"text": "x"}])), "messages.0.content.0.type"),
    "a block without its text": (request(user([{"type": "text"}])), "Field required"),
    "a key of the SDK's parsed block": (
        request(HELLO, assistant([text("x", parsed_output=None)]), HELLO),
        "parsed_output: Extra inputs are not permitted",
    ),
    "an unknown key in a message": (
        request({**HELLO, "name": "Ann"}),
        "messages.0.name: Extra inputs are not permitted",
    ),
    "a lone surrogate": (request(user("\ud800")), "no low surrogate"),
    "a compaction block without the beta": (
        request(user([compaction()]), HELLO, model="claude-opus-5"),
        "compact-2026-09-04",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_the_server_refuses(name: str) -> None:
    body, words = REFUSED[name]
    assert words in await refusal(body)


TAKEN: dict[str, Json] = {
    "consecutive messages of one role": request(
        HELLO, HELLO, assistant("a"), assistant("b"), HELLO
    ),
    "a result, then text": request(*CALLED, user([result(), text("and now?")])),
    "results in two user messages": request(
        HELLO, assistant([use("a"), use("b")]), user([result("b")]), user([result("a")])
    ),
    "calls in two assistant messages": request(
        HELLO, assistant([use("a")]), assistant([use("b")]), user([result("a"), result("b")])
    ),
    "an empty result": request(*CALLED, user([result(content="")])),
    "a result without content": request(
        *CALLED, user([{"type": "tool_result", "tool_use_id": "t1", "is_error": True}])
    ),
    "a picture in a result": request(*CALLED, user([result(content=[image()])])),
    "a prefill on an old model": request(HELLO, assistant("I"), model="claude-haiku-4-5"),
    "a system message at the end": request(HELLO, SYSTEM, model="claude-opus-5"),
    "a system message before a reply": request(
        HELLO, SYSTEM, assistant("hi"), HELLO, model="claude-opus-4-8"
    ),
    "a system message after a result": request(
        *CALLED, user([result()]), SYSTEM, model="claude-opus-5", tools=[tool()]
    ),
}


@pytest.mark.parametrize("name", TAKEN)
async def test_the_server_takes(name: str) -> None:
    assert await refusal(TAKEN[name]) == ""
