"""What is recalled leaves the next level, and the limit, well out of reach."""

import pytest

from octochat.context.plans.room import room_for_recall
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import BuiltInLevels, Level, Strategy
from octochat.context.session.events import Entry, Opened
from octochat.context.session.state import replay
from octochat.context.strategies.pressure import Pressure

BY_LEVEL = Pressure(pressure_levels=BuiltInLevels((Level(60_000, 2.0), Level(120_000, 4.0))))
BEYOND = Pressure(pressure_levels=(Level(190_000, 2.0),))


@pytest.mark.parametrize(
    ("context", "window", "strategies", "room"),
    [
        (19_000, 200_000, (BY_LEVEL,), 10_000),  # a quarter of the way to the first level
        (79_000, 200_000, (BY_LEVEL,), 10_000),  # the same, to the second
        (139_000, 200_000, (BY_LEVEL,), 10_000),  # above all levels: to the limit, 180,000
        (1_400, 8_000, (), 400),  # a small window: half of it is kept for the answer
        (1_200, 8_000, (BY_LEVEL,), 50),  # there the first level comes at 2,400
        (179_900, 200_000, (BY_LEVEL,), 0),
        (500_000, 200_000, (BY_LEVEL,), 0),
        (179_000, 200_000, (BEYOND,), 0),  # at the limit, though a level lies above it
    ],
)
def test_a_quarter_of_what_is_left_may_be_filled(
    context: int, window: int, strategies: tuple[Strategy, ...], room: int
) -> None:
    state = replay([Entry(1, 0.0, context, Opened("m", "s"))])
    now = Situation(state, len, window=window, margin=1_000)
    assert room_for_recall(now, strategies) == room
