"""What is folded may come back: after `/restore`, the request is one that the API takes."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

from octochat.context.plans.strategy import considered
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import Hold, Plan
from octochat.context.session.events import Reverted, Usage
from octochat.context.session.validity import problems
from octochat.context.strategies.fifo import Fifo
from octochat.models.port import Reply
from octochat.models.scripted import Line
from tests.build import exchanges
from tests.stage import LONG, Stage, long_talk, text


def counting_from_one(turns: int) -> Iterator[Line]:
    """A server that gives the first call of every reply the same id."""
    for _ in range(turns):
        call = ToolCall("call_1", "read", {"words": 100, "file_path": "/src/boat.py"})
        yield Reply((Text("look"), call), Usage(), "tool_use")
        yield text(LONG)


def test_calls_with_the_same_id_stay_apart_when_a_fold_is_taken_back() -> None:
    stage = Stage(counting_from_one(12), strategies=())
    for n in range(6):
        asyncio.run(stage.say(f"part {n}"))
    asyncio.run(stage.say("/compact"))
    for n in range(3):
        asyncio.run(stage.say(f"another part {n}"))
    asyncio.run(stage.say("/restore"))
    assert any(isinstance(entry.event, Reverted) for entry in stage.log.entries)
    asyncio.run(stage.say("the last part"))
    assert problems(stage.heard[-1].messages) == ()


def test_what_was_restored_is_not_dropped_again_before_the_context_has_grown() -> None:
    stage = Stage(long_talk(40), strategies=(Fifo(max_tokens=6_000),))
    while not stage.condensed:
        asyncio.run(stage.say("a part"))
    asyncio.run(stage.say("/restore"))
    restored = stage.state.context
    asyncio.run(stage.say("and now?"))
    assert len(stage.condensed) == 1
    assert "you took its last compression back" in str(stage.session.info.outlook)
    while len(stage.condensed) == 1:
        asyncio.run(stage.say("a part"))
    assert stage.condensed[-1].before >= 1.1 * restored


def test_what_was_restored_and_does_not_fit_is_left_to_the_strategy_not_to_the_ladder() -> None:
    story = exchanges(12, 1_000)
    story.add(0, Reverted(1, None, after=13_000, watermark=13_000))
    now = story.situation(window=12_000, reserve=1_000)
    assert isinstance(considered(Fifo(), now), Plan)
    assert isinstance(considered(Fifo(max_tokens=5_000), replace(now, window=20_000)), Hold)
    assert now.size == 13_000
    just_fits = replace(now, window=14_000)
    assert isinstance(considered(Fifo(max_tokens=5_000), just_fits), Hold)
    assert isinstance(considered(Fifo(max_tokens=5_000), replace(just_fits, window=13_999)), Plan)
