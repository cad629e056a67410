"""Compression at its edges: what just fits, what a clock says, and whom a failure is told."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from octochat.context.session.content import Text
from octochat.context.session.edits import Plan, ResultTrim
from octochat.context.session.events import Prompted
from octochat.context.session.view import Step
from octochat.models.port import ModelError, Reply, Request
from octochat.models.scripted import Line
from tests.stage import Stage, answer, calls, long_talk, talked, text


@pytest.mark.parametrize(("reserve", "kept"), [(5_000, 1_000), (400, 400)])
def test_no_more_room_is_kept_for_an_answer_than_the_model_may_fill(
    reserve: int, kept: int
) -> None:
    stage = Stage([], window=50_000)
    stage.compressor.rules = replace(stage.compressor.rules, reserve=reserve)
    assert stage.compressor.situation(stage.engine).limit == 50_000 - kept


@pytest.mark.parametrize(("less", "fits"), [(0, True), (1, False)])
async def test_what_fills_the_window_to_the_last_token_fits_and_one_token_more_does_not(
    less: int, *, fits: bool
) -> None:
    stage = Stage([text("ok")], strategies=())
    stage.engine.append(Prompted((Text("build it"),)))
    size = stage.compressor.situation(stage.engine).size
    stage.compressor.rules = replace(stage.compressor.rules, max_session=size - less)
    climbs = stage.compressor.climb(stage.engine, size - 1)
    if fits:
        assert [item async for item in climbs] == []
        assert [item async for item in stage.engine.go_on()]
    else:
        with pytest.raises(ModelError, match="does not fit the window"):
            _ = [item async for item in climbs]
        with pytest.raises(ModelError, match="does not fit the window"):
            _ = [item async for item in stage.engine.go_on()]
    assert len(stage.heard) == fits


async def test_what_cannot_get_smaller_is_not_sent_again_whatever_the_margin() -> None:
    for margin in (0, 50):
        error = ModelError("too_long", "The prompt is too long.", tokens=11_000, limit=10_000)
        stage = Stage([error] * 9, strategies=())
        stage.compressor.rules = replace(stage.compressor.rules, margin=margin)
        with pytest.raises(ModelError, match="is too big"):
            await stage.say("a word")
        assert len(stage.heard) == 1


Clock = Callable[[Stage], None]


def later(stage: Stage) -> None:
    stage.now += 7


def earlier(stage: Stage) -> None:
    stage.now -= 7


@pytest.mark.parametrize(("passes", "seconds"), [(later, 7), (earlier, 0)])
@pytest.mark.parametrize("said", [answer(), ModelError("auth", "no")])
def test_a_note_took_as_long_as_its_writer_and_no_time_where_the_clock_was_set_back(
    said: Reply | ModelError, passes: Clock, seconds: float
) -> None:
    def slowly(_: Request) -> Reply | ModelError:
        passes(stage)
        return said

    line: Line = slowly
    stage = Stage(long_talk(15), notes=[line])
    talked(stage, 15)
    assert [event.seconds for event in (*stage.condensed, *stage.held)] == [seconds]


def trimmed() -> tuple[Stage, Plan]:
    stage = Stage(calls(900))
    asyncio.run(stage.say("read it"))
    step = next(unit for unit in stage.state.view.units if isinstance(unit, Step))
    return stage, Plan("test", trims=(ResultTrim(step.calls[0].id, "short"),))


async def carried_out(stage: Stage, plan: Plan) -> None:
    async for _ in stage.compressor.carry_out(stage.engine, plan, "test"):
        pass


def test_what_no_model_writes_takes_no_time_and_costs_nothing() -> None:
    stage, plan = trimmed()
    asyncio.run(carried_out(stage, plan))
    (made,) = stage.condensed
    assert (made.seconds, made.cost) == (0, 0)
