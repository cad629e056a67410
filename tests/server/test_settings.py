"""What the server refuses in settings, tools, markers and headers, over raw HTTP."""

from http import HTTPStatus
from typing import Any

import pytest

from tests.server import TABLE, ClaudeServer, Json
from tests.server.raw import assistant, marked, post, refusal, request, text, tool, user
from tests.server.validate import BINDING_BETA, COMPACT_BETA, EFFORT_BETA

OPEN: Json = {"type": "object", "properties": {}}
CLOSED: Json = {**OPEN, "additionalProperties": False}
ADAPTIVE = {"type": "adaptive"}
BOUND = ("claude-fable-5-1", "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5")


def schema(inner: Json) -> Json:
    return {"format": {"type": "json_schema", "schema": inner}}


def thinking(kind: str, model: str, **more: Any) -> Json:
    return request(model=model, thinking={"type": kind, **more})


def forced(model: str, **more: Any) -> Json:
    return request(model=model, tools=[tool()], tool_choice={"type": "any"}, **more)


OPUS = "claude-opus-5"
EFFORT: Json = {"role": "system", "output_config": {"effort": "high"}}


async def test_an_effort_in_mid_conversation_needs_its_header_its_model_and_its_place() -> None:
    async def refused(*messages: Json, model: str = OPUS, beta: str = EFFORT_BETA) -> str:
        async with ClaudeServer() as server:
            body = request(*messages, model=model)
            status, answer = await post(server, body, betas=(beta,) if beta else ())
            return "" if status == HTTPStatus.OK else answer["error"]["message"]

    said = user("x")
    assert await refused(said, EFFORT) == ""
    assert await refused(said, EFFORT, assistant("a"), user("y")) == ""
    assert "Extra inputs" in await refused(said, EFFORT, beta="")
    assert "not supported on this model" in await refused(said, EFFORT, model="claude-sonnet-5")
    assert "must follow a user" in await refused(said, assistant("a"), EFFORT, user("y"))
    assert "last or precede" in await refused(said, EFFORT, user("y"))
    assert "Extra inputs" in await refused({**said, "output_config": {"effort": "low"}})
    assert "non-empty" in await refused(said, {"role": "system", "output_config": {}})
    assert "effort" in await refused(said, {"role": "system", "output_config": {"effort": "5"}})


REFUSED: dict[str, tuple[Json, str]] = {
    "no max_tokens": ({"model": "claude-opus-5", "messages": [user("x")]}, "Field required"),
    "max_tokens below zero": (request() | {"max_tokens": -1}, "greater than or equal to 0"),
    "max_tokens over the model's": (
        request(model="claude-haiku-4-5") | {"max_tokens": 64_001},
        "64001 > 64000, which is the maximum",
    ),
    "an effort on a model without one": (
        request(model="claude-haiku-4-5", output_config={"effort": "low"}),
        "output_config.effort: not supported",
    ),
    "an unknown key": (request(max_output=5), "max_output: Extra inputs are not permitted"),
    "an unknown key in the thinking config": (
        thinking("adaptive", "claude-opus-5", effort="low"),
        "thinking.effort: Extra inputs",
    ),
    "a temperature on a new model": (
        request(model="claude-opus-5-5", temperature=1),
        "`temperature` is deprecated",
    ),
    "a top_k on a new model": (request(model="claude-sonnet-5", top_k=5), "`top_k` is deprecated"),
    "temperature and top_p": (request(temperature=0.5, top_p=0.9), "cannot both be specified"),
    "a temperature over 1": (request(temperature=1.5), "between 0 and 1"),
    "a temperature while thinking": (
        request(temperature=0.5, thinking=ADAPTIVE),
        "may only be set to 1",
    ),
    "adaptive on a budget model": (thinking("adaptive", "claude-haiku-4-5"), "not supported"),
    "a budget on an adaptive model": (
        thinking("enabled", "claude-opus-4-7", budget_tokens=1024),
        "not supported",
    ),
    "disabled where it is always on": (thinking("disabled", "claude-opus-5-5"), "not supported"),
    "disabled on Sonnet 5.5": (thinking("disabled", "claude-sonnet-5-5"), "not supported"),
    "between_tools on Sonnet 5": (thinking("between_tools", "claude-sonnet-5"), "not supported"),
    "a budget too small": (
        thinking("enabled", "claude-haiku-4-5", budget_tokens=1023),
        "greater than or equal to 1024",
    ),
    "a budget as large as max_tokens": (
        thinking("enabled", "claude-haiku-4-5", budget_tokens=1024) | {"max_tokens": 1024},
        "`max_tokens` must be greater",
    ),
    "an unknown display": (
        thinking("adaptive", "claude-opus-5", display="full"),
        "thinking.display",
    ),
    "block_binding without its beta": (
        thinking("adaptive", "claude-opus-5-5", block_binding={}),
        "thinking.block_binding: Extra inputs",
    ),
    "compaction without its beta": (
        request(model="claude-opus-5", compaction={"type": "summarize"}),
        "compaction: Extra inputs",
    ),
    "forced tools while thinking": (
        forced("claude-opus-5", thinking=ADAPTIVE),
        "Thinking may not be enabled",
    ),
    "a tool choice without tools": (
        request(tool_choice={"type": "auto"}),
        "while providing tools",
    ),
    "a choice of a tool that is not there": (
        request(tools=[tool()], tool_choice={"type": "tool", "name": "write"}),
        "Tool 'write' not found",
    ),
    "a tool name with a dot": (request(tools=[tool("a.b")]), "tools.0.name"),
    "a tool name of 129": (request(tools=[tool("a" * 129)]), "tools.0.name"),
    "a tool name twice": (request(tools=[tool(), tool()]), "must be unique"),
    "a tool without a schema": (request(tools=[{"name": "a"}]), "input_schema: Field required"),
    "a tool whose schema is no object": (
        request(tools=[{"name": "a", "input_schema": {"type": "string"}}]),
        "should be 'object'",
    ),
    "a strict tool with an open schema": (
        request(tools=[tool(strict=True)]),
        "'additionalProperties' must be explicitly set to false",
    ),
    "an unknown key in a tool": (
        request(tools=[tool(parameters={})]),
        "tools.0.parameters: Extra inputs",
    ),
    "an open schema": (request(output_config=schema(OPEN)), "'additionalProperties'"),
    "an open schema inside a closed one": (
        request(output_config=schema({**CLOSED, "properties": {"a": OPEN}})),
        "properties.a",
    ),
    "an open schema in a list of them": (
        request(
            output_config=schema({**CLOSED, "properties": {"a": {"type": "array", "items": OPEN}}})
        ),
        "items",
    ),
    "an open schema in a definition": (
        request(output_config=schema({**CLOSED, "$defs": {"x": OPEN}})),
        "$defs.x",
    ),
    "five markers": (
        request(
            user([marked(text(word)) for word in "abc"]),
            system=[marked(text("s"))],
            tools=[marked(tool())],
        ),
        "A maximum of 4 blocks",
    ),
    "four markers and the automatic one": (
        request(
            user([*(marked(text(word)) for word in "abcd"), text("e")]),
            cache_control={"type": "ephemeral"},
        ),
        "A maximum of 4 blocks",
    ),
    "an hour after five minutes": (
        request(user([marked(text("x"), "1h")]), system=[marked(text("s"))]),
        "must not come after",
    ),
    "an automatic marker with another ttl": (
        request(user([marked(text("x"))]), cache_control={"type": "ephemeral", "ttl": "1h"}),
        "another ttl",
    ),
    "a top_k below zero": (request(top_k=-1), "greater than or equal to 0"),
    "an unknown ttl": (request(user([marked(text("x"), "2h")])), "cache_control.ttl"),
    "an unknown key in a marker": (
        request(user([text("x", cache_control={"type": "ephemeral", "scope": "org"})])),
        "cache_control.scope: Extra inputs",
    ),
    "a marker on thinking": (
        request(
            user("x"),
            assistant([marked({"type": "thinking", "thinking": "", "signature": ""}), text("y")]),
            user("z"),
        ),
        "cache_control",
    ),
    **{
        f"forced tools on {model}": (forced(model), "forced tool use is not supported")
        for model in BOUND
    },
}


@pytest.mark.parametrize("name", REFUSED)
async def test_the_server_refuses(name: str) -> None:
    body, words = REFUSED[name]
    assert words in await refusal(body)


TAKEN: dict[str, Json] = {
    "a temperature on an old model": request(temperature=0.3),
    "a temperature of 1 while thinking": request(temperature=1, thinking=ADAPTIVE),
    "a budget": thinking("enabled", "claude-haiku-4-5", budget_tokens=1024) | {"max_tokens": 2048},
    "between_tools on Sonnet 5.5": thinking("between_tools", "claude-sonnet-5-5"),
    "forced tools without thinking": forced("claude-opus-5"),
    "a closed schema": request(output_config=schema(CLOSED)),
    "five minutes after an hour": request(
        user([marked(text("x"))]), system=[marked(text("s"), "1h")]
    ),
    "the automatic marker": request(cache_control={"type": "ephemeral"}),
    "effort": request(output_config={"effort": "low"}),
    **{f"a plain request to {model.id}": request(model=model.id) for model in TABLE},
}


@pytest.mark.parametrize("name", TAKEN)
async def test_the_server_takes(name: str) -> None:
    assert await refusal(TAKEN[name]) == ""


@pytest.mark.parametrize(
    ("headers", "status", "words"),
    [
        ({"x-api-key": ""}, 401, "x-api-key header is required"),
        ({"x-api-key": "wrong"}, 401, "invalid x-api-key"),
        ({"x-api-key": "", "authorization": "Bearer wrong"}, 401, "invalid x-api-key"),
        ({"anthropic-version": ""}, 400, "anthropic-version"),
        ({"anthropic-beta": "time-travel-2027-01-01"}, 400, "`time-travel-2027-01-01`"),
    ],
)
async def test_headers_are_checked(headers: dict[str, str], status: int, words: str) -> None:
    async with ClaudeServer() as server:
        got, answer = await post(server, request(), headers=headers)
    assert got == status
    assert words in answer["error"]["message"]


async def test_a_bearer_token_is_as_good_as_a_key() -> None:
    async with ClaudeServer() as server:
        headers = {"x-api-key": "", "authorization": f"Bearer {server.api_key}"}
        status, _ = await post(server, request(), headers=headers)
    assert status == 200


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (request(model="claude-opus-9"), 404, "not_found_error"),
        (b"{", 400, "invalid_request_error"),
        (b"[]", 400, "invalid_request_error"),
        (b'{"max_tokens": NaN}', 400, "invalid_request_error"),
    ],
)
async def test_bodies_are_checked(body: Any, status: int, kind: str) -> None:
    async with ClaudeServer() as server:
        got, answer = await post(server, body)
    assert (got, answer["error"]["type"]) == (status, kind)


async def test_a_body_over_32_megabytes_is_too_large() -> None:
    async with ClaudeServer() as server:
        got, answer = await post(server, b" " * (32 * 1024 * 1024 + 1))
    assert (got, answer["error"]["type"]) == (413, "request_too_large")


async def test_an_unknown_path_is_not_found() -> None:
    async with ClaudeServer() as server:
        status, _ = await post(server, request(), path="/v1/complete")
    assert status == 404


async def test_a_prompt_over_the_window_is_refused_with_both_numbers() -> None:
    async with ClaudeServer() as server:
        body = request(user("x" * 800_000), model="claude-haiku-4-5")
        status, answer = await post(server, body)
    assert status == 400
    message = answer["error"]["message"]
    assert message == "prompt is too long: 200003 tokens > 200000 maximum"


async def test_counting_needs_no_max_tokens_and_costs_nothing() -> None:
    async with ClaudeServer() as server:
        body = {"model": "claude-haiku-4-5", "messages": [user("eight ch")]}
        status, answer = await post(server, body, path="/v1/messages/count_tokens")
    assert (status, answer) == (200, {"input_tokens": 5})
    assert server.dollars == 0


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "claude-opus-4-5"])
async def test_old_models_do_not_compact(model: str) -> None:
    async with ClaudeServer() as server:
        body = request(model=model, compaction={"type": "summarize"})
        status, answer = await post(server, body, betas=(COMPACT_BETA, BINDING_BETA))
    assert status == 400
    assert "compaction" in answer["error"]["message"]
