"""For which sessions the prompt cache is kept warm at all."""

import asyncio
from dataclasses import replace

from octochat.engine.keep_warm import WarmKeeper
from octochat.models.catalogue import ModelInfo
from tests.build import SONNET
from tests.stage import LONG, Stage, text


def talked() -> Stage:
    stage = Stage([text("fine", cache_write=700, output=5)])
    asyncio.run(stage.say(LONG))
    return stage


def budgeted(name: str) -> ModelInfo:
    return ModelInfo(name, SONNET, 200_000, 1_000, thinking="budget")


def test_a_call_is_due_where_somebody_is_expected_back() -> None:
    engine = talked().engine
    beat = WarmKeeper(engine, 5).next
    assert beat is not None
    assert beat.at == engine.now() + 270
    assert WarmKeeper(engine, 0).next is None


def test_however_often_it_is_begun_one_call_is_waited_for() -> None:
    asyncio.run(begun_and_stopped())


async def begun_and_stopped() -> None:
    naps: list[float] = []
    away = asyncio.Event()

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        await away.wait()

    stage = Stage([text("fine", cache_write=700, output=5)])
    await stage.say(LONG)
    keeper = WarmKeeper(stage.engine, 5, nap)
    assert not keeper.begun
    for _ in range(2):
        keeper.begin(print)
        await asyncio.sleep(0)
    assert (keeper.begun, naps) == (True, [270])
    await keeper.stop()
    keeper.begin(print)
    await asyncio.sleep(0)
    assert naps == [270, 270]
    await keeper.stop()
    keeper.minutes = 0
    keeper.begin(print)
    assert not keeper.begun


def test_none_is_made_once_the_session_has_cost_all_it_may() -> None:
    engine = talked().engine
    engine.max_cost = engine.state.ledger.total_cost
    assert WarmKeeper(engine, 5).next is None
    engine.max_cost *= 2
    assert WarmKeeper(engine, 5).next is not None


def test_a_model_that_thinks_within_a_budget_is_left_out() -> None:
    engine = talked().engine
    engine.ports = replace(engine.ports, info=budgeted)
    assert WarmKeeper(engine, 5).next is None
