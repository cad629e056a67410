"""Levels that make no sense are told of at the start."""

from octochat.context.plans.levels import too_low
from octochat.context.plans.strategy import Level
from octochat.context.strategies.pressure import Pressure
from tests.build import Story


def told(*thresholds: int) -> str:
    levels = tuple(Level(each, 2.0) for each in thresholds)
    return too_low(Story(head=5_000).situation(margin=1_000), (Pressure(pressure_levels=levels),))


def test_a_level_that_every_request_reaches_is_told_of_with_what_it_would_take() -> None:
    assert told(6_000, 60_000).startswith("The level of 6,000 tokens can never be come under: ")
    assert "margin alone have 6,000" in told(6_000)
    assert told(2_000, 3_000).startswith("The levels of 2,000 and 3,000 tokens")


def test_levels_above_that_are_not_spoken_of() -> None:
    assert told(6_001) == ""
    assert too_low(Story(head=5_000).situation(), ()) == ""
