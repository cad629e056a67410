"""The server's cache and bill against sums worked out by hand.

A text of 4n - 12 bytes is n tokens with its block's 3; claude-sonnet-4-6 caches from 1,024 on.
"""

import math

import pytest

from tests.server import ClaudeServer, Json, Prices, Usage, cost, say
from tests.server.models import by_id
from tests.server.raw import assistant, marked, post, request, text, tool, user

MODELS = by_id()


def sized(tokens: int, letter: str = "x") -> Json:
    """A text block of exactly this many tokens, its overhead included."""
    return text(letter * (4 * (tokens - 3)))


def usage(answer: Json) -> tuple[int, int, int]:
    """(input, read, written)."""
    used = answer["usage"]
    return (
        used["input_tokens"],
        used["cache_read_input_tokens"],
        used["cache_creation_input_tokens"],
    )


async def ask(server: ClaudeServer, body: Json) -> Json:
    status, answer = await post(server, body)
    assert status == 200, answer
    return answer


async def test_without_a_marker_nothing_is_cached() -> None:
    async with ClaudeServer() as server:
        body = request(user([sized(2000)]))
        assert usage(await ask(server, body)) == (2000, 0, 0)
        assert usage(await ask(server, body)) == (2000, 0, 0)


async def test_a_marked_prefix_is_written_once_and_read_after() -> None:
    async with ClaudeServer() as server:
        first = request(user([marked(sized(100))]), system=[marked(sized(2000))])
        assert usage(await ask(server, first)) == (0, 0, 2100)
        assert usage(await ask(server, first)) == (0, 2100, 0)
        grown = request(
            user([sized(100)]),
            assistant([sized(50)]),
            user([marked(sized(30)), sized(7)]),
            system=[marked(sized(2000))],
        )
        assert usage(await ask(server, grown)) == (7, 2100, 80)


async def test_a_changed_message_is_read_up_to_the_system_prompt() -> None:
    async with ClaudeServer() as server:
        for letter, expected in (("a", (0, 0, 2100)), ("b", (0, 2000, 100))):
            body = request(user([marked(sized(100, letter))]), system=[marked(sized(2000))])
            assert usage(await ask(server, body)) == expected


async def test_changed_tools_or_system_invalidate_everything() -> None:
    async with ClaudeServer() as server:
        messages = user([marked(sized(2000))])
        await ask(server, request(messages, tools=[tool()], system="be brief"))
        for change in ({"tools": [tool("write")]}, {"system": "be long"}):
            body = request(messages, tools=[tool()], system="be brief") | change
            assert (await ask(server, body))["usage"]["cache_read_input_tokens"] == 0


async def test_another_model_has_another_cache() -> None:
    async with ClaudeServer() as server:
        body = request(user([marked(sized(5000))]))
        await ask(server, body)
        assert usage(await ask(server, body | {"model": "claude-opus-4-6"})) == (0, 0, 5000)


@pytest.mark.parametrize(("tokens", "written"), [(1023, 0), (1024, 1024)])
async def test_a_prefix_below_the_minimum_is_not_cached(tokens: int, written: int) -> None:
    async with ClaudeServer() as server:
        answer = await ask(server, request(user([marked(sized(tokens))])))
    assert usage(answer) == (tokens - written, 0, written)


@pytest.mark.parametrize(("added", "read"), [(19, 2000), (20, 0)])
async def test_a_marker_looks_back_twenty_blocks(added: int, read: int) -> None:
    async with ClaudeServer() as server:
        start = sized(2000)
        await ask(server, request(user([marked(start)])))
        more = [sized(10) for _ in range(added)]
        more[-1] = marked(more[-1])
        answer = await ask(server, request(user([start, *more])))
    assert usage(answer) == (0, read, 2000 + 10 * added - read)


@pytest.mark.parametrize(("ttl", "seconds"), [("5m", 300), ("1h", 3600)])
async def test_a_read_refreshes_the_lifetime(ttl: str, seconds: int) -> None:
    async with ClaudeServer() as server:
        body = request(user([marked(sized(2000), ttl)]))
        reads: list[int] = []
        for wait in (0, seconds - 1, seconds - 1, seconds):
            server.clock.advance(wait)
            reads.append(usage(await ask(server, body))[1])
    assert reads == [0, 2000, 2000, 0]


async def test_both_lifetimes_are_told_apart() -> None:
    async with ClaudeServer() as server:
        body = request(user([marked(sized(100))]), system=[marked(sized(2000), "1h")])
        answer = await ask(server, body)
    assert answer["usage"]["cache_creation"] == {
        "ephemeral_5m_input_tokens": 100,
        "ephemeral_1h_input_tokens": 2000,
    }


async def test_the_automatic_marker_stands_on_the_last_block() -> None:
    async with ClaudeServer() as server:
        body = request(user([sized(2000)]), cache_control={"type": "ephemeral"})
        assert usage(await ask(server, body)) == (0, 0, 2000)


@pytest.mark.parametrize(
    "change",
    [
        {"thinking": {"type": "adaptive"}},
        {"tool_choice": {"type": "none"}},
        {"output_config": {"effort": "low"}},
        {
            "output_config": {
                "format": {
                    "type": "json_schema",
                    "schema": {"type": "object", "additionalProperties": False},
                }
            }
        },
    ],
)
async def test_settings_that_change_the_rendering_keep_only_tools_and_system(change: Json) -> None:
    async with ClaudeServer() as server:
        body = request(user([marked(sized(100))]), system=[marked(sized(2000))], tools=[tool()])
        first = usage(await ask(server, body))
        assert usage(await ask(server, body | change)) == (0, first[2] - 100, 100)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"model": "claude-opus-4-6"}, "model_changed"),
        ({"system": "be long"}, "system_changed"),
        ({"tools": [tool("write")]}, "tools_changed"),
        ({"messages": [user("bye")]}, "messages_changed"),
        ({"tool_choice": {"type": "none"}}, "unavailable"),
    ],
)
async def test_a_miss_is_explained(change: Json, reason: str | None) -> None:
    async with ClaudeServer() as server:
        body = request(system="be brief", tools=[tool()])
        before = (await ask(server, body))["id"]
        asked = {"diagnostics": {"previous_message_id": before}}
        diagnostics = (await ask(server, body | change | asked))["diagnostics"]
    found = diagnostics and diagnostics["cache_miss_reason"]["type"]
    assert found == reason


async def test_an_unknown_previous_message_is_not_found() -> None:
    async with ClaudeServer() as server:
        answer = await ask(server, request(diagnostics={"previous_message_id": "msg_x"}))
    assert answer["diagnostics"]["cache_miss_reason"]["type"] == "previous_message_not_found"


@pytest.mark.parametrize(
    ("model", "used", "dollars"),
    [
        ("claude-opus-5-5", Usage(input=1_000_000), 4.0),
        ("claude-opus-5-5", Usage(read=1_000_000, output=100_000), 2.2),
        ("claude-sonnet-4-6", Usage(write_5m=100_000, write_1h=100_000), 0.975),
        ("claude-haiku-5-5", Usage(input=40_000, read=60_000, output=1_000), 0.0051),
        ("claude-haiku-5-5", Usage(input=40_001, read=60_000, output=1_000), 0.0255005),
        ("claude-fable-5-1", Usage(read=1_000_000), 0.25),
    ],
)
def test_the_bill_adds_up(model: str, used: Usage, dollars: float) -> None:
    assert math.isclose(cost(MODELS[model], used), dollars)


async def test_every_request_is_on_the_bill() -> None:
    async with ClaudeServer(say("x" * 4), say("x" * 4)) as server:
        await ask(server, request(user([marked(sized(2000))])))
        await ask(server, request(user([marked(sized(2000))])))
    first, second = (charge.dollars for charge in server.bill)
    assert math.isclose(first, (2000 * 3.75 + 4 * 15) / 1_000_000)
    assert math.isclose(second, (2000 * 0.30 + 4 * 15) / 1_000_000)
    assert server.dollars == first + second


async def test_newer_models_count_thirty_percent_more() -> None:
    async with ClaudeServer() as server:
        answer = await ask(server, request(user([sized(1000)]), model="claude-opus-5"))
    assert usage(answer)[0] == 1300


def test_a_read_costs_less_than_a_write_everywhere() -> None:
    for model in MODELS.values():
        prices: Prices = model.prices
        assert prices.read < prices.input < prices.write_5m < prices.write_1h < prices.output
