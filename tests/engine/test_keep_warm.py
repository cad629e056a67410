"""For which sessions the prompt cache is kept warm at all, and when each call is made."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from octochat.context.session.events import Entry, KeptWarm
from octochat.engine.keep_warm import WarmKeeper
from octochat.models.catalogue import ModelInfo
from octochat.models.port import ModelError, Notice
from octochat.models.scripted import Line
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


@dataclass
class Pause:
    """A person away from a session; time passes only where a call is waited for."""

    stage: Stage
    meanwhile: Callable[[int], object] = id
    """What happens during each wait, given how many there were."""
    naps: list[float] = field(default_factory=list[float])
    told: list[Entry | Notice] = field(default_factory=list[Entry | Notice])

    async def nap(self, seconds: float) -> None:
        assert len(self.naps) < 20
        self.naps.append(seconds)
        self.stage.now += seconds
        self.meanwhile(len(self.naps))

    async def passes(self) -> WarmKeeper:
        """All the calls that are due in five minutes."""
        keeper = WarmKeeper(self.stage.engine, 5, self.nap, begun=True)
        await asyncio.wait_for(keeper.keep(self.told.append), 5)
        return keeper


def spoken(*then: Line) -> Stage:
    """A session with a long prompt in the cache; what is said then is for the calls to come."""
    stage = Stage([text("fine", cache_write=700, output=5), *then])
    asyncio.run(stage.say(LONG))
    return stage


WARM = text("a", cache_read=700, output=1)


def test_a_call_that_is_due_asks_for_one_token_and_is_billed() -> None:
    pause = Pause(spoken(WARM))
    keeper = asyncio.run(pause.passes())
    (told,) = pause.told
    assert isinstance(told, Entry)
    assert isinstance(told.event, KeptWarm)
    assert told.event.usage == WARM.usage
    assert told.event.cost == SONNET.cost(WARM.usage)
    assert [asked.max_tokens for asked in pause.stage.heard] == [1_000, 1]
    assert keeper.begun


def test_a_call_that_is_overdue_is_made_at_once() -> None:
    pause = Pause(spoken(WARM))
    pause.stage.now += 280
    asyncio.run(pause.passes())
    assert pause.naps == [0]
    assert len(pause.told) == 1


def test_a_call_that_fails_or_costs_nothing_is_the_last_and_the_person_is_told() -> None:
    for said, why in (
        (ModelError("auth", "The key is wrong."), "The key is wrong."),
        (text("a"), "the answer broke off"),
    ):
        pause = Pause(spoken(said, WARM))
        keeper = asyncio.run(pause.passes())
        assert pause.told == [Notice(f"The cache is not kept warm: {why}", "warning")]
        assert not keeper.begun
        assert len(pause.stage.heard) == 2


def test_where_another_call_came_meanwhile_the_wait_begins_anew() -> None:
    stage = spoken(WARM, WARM)

    def warmed_elsewhere(nap: int) -> None:
        if nap == 1:
            stage.engine.append(KeptWarm("m", WARM.usage, 0.0))

    pause = Pause(stage, warmed_elsewhere)
    asyncio.run(pause.passes())
    assert pause.naps[0] == 270
    assert len(stage.heard) == 1
    assert pause.told == []
