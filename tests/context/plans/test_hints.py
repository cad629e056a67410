"""Hints that a compression is near."""

import pytest

from octochat.context.plans.hints import HintRule
from octochat.context.plans.strategy import Level
from octochat.context.session.events import Hinted, Usage
from octochat.context.strategies.pressure import Pressure
from tests.build import Story

RULE = HintRule(Pressure(pressure_levels=(Level(60_000, 2.0), Level(120_000, 4.0))), 0.7, 5)


def story(size: int) -> Story:
    return Story().say(100).reply(100, usage=Usage(fresh=size))


@pytest.mark.parametrize(
    ("size", "level"),
    [(41_999, None), (42_000, "60,000"), (60_000, None), (84_000, "120,000"), (120_000, None)],
)
def test_a_hint_is_due_from_the_share_of_the_next_level_on(size: int, level: str | None) -> None:
    hint = RULE.due(story(size).situation())
    assert (hint is None) if level is None else (hint is not None and level in hint)


@pytest.mark.parametrize(("calls", "due"), [(0, False), (4, False), (5, True)])
def test_hints_keep_their_distance_in_calls(calls: int, due: bool) -> None:
    told = story(50_000).add(0, Hinted("It is near"))
    for _ in range(calls):
        told.say(100).reply(100, usage=Usage(fresh=50_000))
    assert (RULE.due(told.situation()) is not None) == due
