"""What a request holds, and what becomes of the ids in an answer."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Entry, Replied, SkillLoaded, Usage
from octochat.context.session.steering import EffortChanged
from octochat.context.session.view import Step
from octochat.engine.ask import Terms, drafted, follows
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


def test_the_request_says_where_its_last_summary_ends() -> None:
    story = Story().say().reply().say().reply()
    terms = Terms(info("claude-opus-5-5"), 1_000, ttl=300)
    assert drafted(story.state, terms).folded == 0
    fold = Fold(2, 2, (Text("note"),))
    story.condensed(Condensed("x", "so", 0, 0, fold)).add(50, SkillLoaded("boats", "row"))
    made = drafted(story.say().state, terms)
    assert (len(made.messages), made.folded) == (5, 1)


def answered(**changes: object) -> Story:
    """A session whose last request the cache holds, with the id of its answer."""
    given: dict[str, object] = {"model": "m", "id": "msg_1", "usage": Usage(fresh=9)}
    return Story().say().add(9, Replied((Text("so"),), **(given | changes)))  # pyright: ignore[reportArgumentType]


def edited(story: Story) -> Story:
    return story.condensed(Condensed("x", "so", 0, 0, Fold(2, 2, (Text("note"),))))


@pytest.mark.parametrize(
    ("story", "now", "id_"),
    [
        (answered(), 300, "msg_1"),
        (answered().say(), 300, "msg_1"),
        (answered().add(0, Replied((), "interrupted", id="msg_2")).say(), 300, "msg_1"),
        (answered(), 301, ""),
        (edited(answered()), 300, ""),
        (answered(model="n"), 300, ""),
        (Story().say(), 0, ""),
        (answered(usage=Usage()), 300, ""),
    ],
    ids=["at once", "later", "stopped", "cold", "edited", "other model", "first", "unbilled"],
)
def test_a_request_follows_the_answer_whose_request_the_cache_holds(
    story: Story, now: float, id_: str
) -> None:
    assert follows(story.state, story.entries, now) == id_


class Slow(Stage):
    """A model while which answers the clock goes so many seconds on."""

    step: float = 0.0

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        del request
        self.now += self.step
        yield text("so")


@pytest.mark.parametrize(("step", "seconds"), [(7.5, 7.5), (0.25, 0.25), (-60, 0)])
def test_an_answer_says_how_long_it_took_though_the_clock_was_set_back(
    step: float, seconds: float
) -> None:
    stage = Slow([])
    stage.step = step
    asyncio.run(stage.say("go on"))
    last = stage.log.entries[-1].event
    assert isinstance(last, Replied)
    assert last.seconds == seconds


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
