"""What a request holds, and what becomes of the ids in an answer."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Replied, Usage
from octochat.context.session.steering import EffortChanged
from octochat.context.session.view import Step
from octochat.engine.ask import Terms, drafted
from octochat.models.catalogue import ModelInfo, info
from octochat.models.port import Delta, Reply, Request, Retrying, TextDelta, ThinkingDelta
from tests.build import SONNET, Story
from tests.stage import Stage, text


@pytest.mark.parametrize(
    ("model", "effort"),
    [(info("claude-opus-5-5"), "high"), (ModelInfo("m", SONNET, 200_000, 1_000), "")],
)
def test_an_effort_is_asked_of_a_model_that_knows_it(model: ModelInfo, effort: str) -> None:
    state = Story().add(0, EffortChanged("high", top_level=True)).say().state
    assert drafted(state, Terms(model, 1_000, ttl=300)).effort == effort


@pytest.mark.parametrize(
    ("model", "efforts"),
    [("claude-opus-5-5", ["high"]), ("claude-opus-4-7", []), ("seat:claude-opus-5-5", [])],
)
def test_an_effort_is_changed_in_between_only_where_the_model_takes_that(
    model: str, efforts: list[str]
) -> None:
    state = Story().say().reply().add(0, EffortChanged("high")).say().state
    messages = drafted(state, Terms(info(model), 1_000, ttl=300)).messages
    assert [message.effort for message in messages if message.effort] == efforts


def test_an_id_that_was_there_before_gets_a_number() -> None:
    twice = (ToolCall("a", "read"), ToolCall("a", "read"))
    talk = [Reply((Text("look"), *twice), Usage(), "tool_use")] * 2
    stage = Stage([*talk, text("done")])
    asyncio.run(stage.say("look around"))
    steps = [unit for unit in stage.state.view.units if isinstance(unit, Step)]
    assert [[call.id for call in step.calls] for step in steps] == [
        ["a", "a_2"],
        ["a_3", "a_4"],
        [],
    ]
    assert all(not step.waiting for step in steps)


class Hesitant(Stage):
    """A model that is stopped in the middle of its second try."""

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        del request
        yield ThinkingDelta("nothing yet")
        yield Retrying("Overloaded", "overloaded", 0, 2, 5)
        yield ThinkingDelta("First the ")
        yield ThinkingDelta("tests.")
        yield TextDelta("I look")
        self.engine.interrupt()
        await asyncio.Event().wait()


def test_what_was_thought_when_the_person_stopped_it_is_kept_and_never_sent() -> None:
    stage = Hesitant([])
    asyncio.run(stage.say("look around"))
    last = stage.log.entries[-1].event
    assert isinstance(last, Replied)
    assert last.thought == "First the tests."
    assert last.blocks == (Text("I look"),)
    with_it, without = stage.log.entries[-1], stage.log.append(replace(last, thought=""))
    assert with_it.size == without.size


def test_the_log_that_is_searched_does_not_grow_while_it_is_searched() -> None:
    stage, seen = Stage([text("yes")]), list[tuple[Sequence[Entry], int]]()

    async def remember(_: Situation, log: Sequence[Entry]) -> None:
        seen.append((log, len(log)))

    stage.engine.ports = replace(stage.engine.ports, remember=remember)
    asyncio.run(stage.say("go on"))
    assert [len(log) for log, _ in seen] == [then for _, then in seen]
    assert len(seen) == 1
