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
