"""Summaries of one paragraph, from the strategy that wants one to the requests that follow it."""

import pytest

from octochat.context.plans.strategy import Strategy
from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, Held
from octochat.context.strategies.groups import GroupHybrid, GroupSummarize
from octochat.context.strategies.summarize import Summarize
from octochat.context.strategies.token_window import SlidingWindowWithSummary
from tests.context.strategies.desk import LONG, Desk
from tests.server import ClaudeServer, Status, say
from tests.server import Step as Scripted

HALF = Summarize(max_tokens=7_000, fraction=0.5)
# A prompt has about 1,760 tokens; at the third one the messages have 7,900, the context 13,000.


def words(desk: Desk) -> list[str]:
    return [
        block.text for note in desk.summaries for block in note.blocks if isinstance(block, Text)
    ]


async def test_a_summary_has_its_prefix_and_stands_first() -> None:
    async with ClaudeServer(
        say("a"), say("b"), say("They  talked\nat length."), say("c")
    ) as server:
        desk = Desk(server, HALF)
        await desk.say(*LONG[:3])
        await desk.claude.close()
        assert server.refusals == []
        first = server.requests[-1]["messages"][0]["content"][0]
    assert first["text"] == "[Earlier conversation summary]: They talked at length."


@pytest.mark.parametrize(
    "strategy",
    [
        HALF,
        SlidingWindowWithSummary(max_tokens=7_000),
        GroupSummarize(safe_zone_tokens=12_500, group_size=2),
        GroupHybrid(safe_zone_tokens=12_500, group_size=2),
    ],
    ids=lambda s: s.name,
)
async def test_an_earlier_summary_is_folded_in_so_there_is_never_more_than_one(
    strategy: Strategy,
) -> None:
    async with ClaudeServer() as server:
        server.default = say("They talked.")
        desk = Desk(server, strategy)
        for text in LONG:
            await desk.say(text)
            assert len(desk.summaries) <= 1
        await desk.claude.close()
        assert server.refusals == []
    assert len(desk.condensed) >= 2
    assert words(desk) == ["[Earlier conversation summary]: They talked."]
    assert {2, 3} <= set(desk.summaries[0].covers)


@pytest.mark.parametrize("failure", [Status(400, "no"), say("Error: overloaded")], ids=str)
async def test_a_failed_or_useless_summary_changes_nothing_and_is_not_asked_for_again_at_once(
    failure: Scripted,
) -> None:
    steps = [say("a"), say("b"), failure, say("c"), say("d")]
    async with ClaudeServer(*steps) as server:
        desk = Desk(server, HALF)
        await desk.say(*LONG[:3])
        before = desk.engine.state.view.units
        await desk.say("short")
        await desk.claude.close()
        assert len(server.requests) == 5
    assert desk.engine.state.view.units[: len(before)] == before
    events = [entry.event for entry in desk.log.entries]
    assert [e.by for e in events if isinstance(e, Held)] == ["summarize"]
    assert not any(isinstance(event, Condensed) for event in events)


async def test_with_three_messages_or_fewer_no_model_is_called() -> None:
    async with ClaudeServer(say("a"), say("b")) as server:
        desk = Desk(server, Summarize(max_tokens=1))
        await desk.say(*LONG[:2])  # at the second look there are three
        await desk.claude.close()
        assert len(server.requests) == 2
    assert desk.summaries == []


@pytest.mark.parametrize("failure", [Status(400, "no"), say("Error: overloaded")], ids=str)
async def test_hybrid_never_sends_a_request_over_its_zone_even_where_the_summary_fails(
    failure: Scripted,
) -> None:
    zone = 11_500
    async with ClaudeServer(say("a"), say("b"), failure, say("c")) as server:
        desk = Desk(server, GroupHybrid(safe_zone_tokens=zone, group_size=2))
        await desk.say(*LONG[:3])
        await desk.claude.close()
        assert len(server.requests) == 4
    events = [entry.event for entry in desk.log.entries]
    assert [e.by for e in events if isinstance(e, Held)] == ["group_hybrid"]
    assert [e.after <= zone for e in desk.condensed] == [True]


async def test_the_answer_that_a_plain_summary_may_have_is_near_its_budget() -> None:
    async with ClaudeServer(say("a"), say("b"), say("They talked."), say("c")) as server:
        desk = Desk(server, HALF)
        await desk.say(*LONG[:3])
        await desk.claude.close()
    talk, summary = server.requests[1], server.requests[2]
    assert summary["max_tokens"] <= 1.5 * HALF.max_summary_tokens + 2_000 < talk["max_tokens"]
