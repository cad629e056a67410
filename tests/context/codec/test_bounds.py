"""Which numbers and words a setting may have."""

from typing import Any

import pytest

from octochat.context.codec.bounds import (
    Amount,
    AutoDuration,
    Count,
    Duration,
    Positive,
    PositiveShare,
    Seconds,
    Share,
    seconds,
)
from octochat.context.codec.decode import reader
from octochat.context.codec.errors import TreeError


@pytest.mark.parametrize(
    ("hint", "fine", "wrong"),
    [
        (Count, [0, 1], [-1]),
        (Positive, [1, 2], [0]),
        (Amount, [0.0, 0.1], [-0.1]),
        (Share, [0.0, 1.0], [-0.1, 1.1]),
        (PositiveShare, [0.01, 1.0], [0.0, 1.01]),
        (Seconds, [0.1], [0.0]),
        (Duration, ["90s", "1.5h"], ["auto", "90", "s", "-1m"]),
        (AutoDuration, ["auto", "90s"], ["automatic", "90", ""]),
    ],
    ids=lambda value: getattr(value, "__metadata__", [""])[0] and value.__metadata__[0].expected,
)
def test_the_ends_of_a_range_belong_to_it_or_not(
    hint: Any, fine: list[object], wrong: list[object]
) -> None:
    read = reader(hint)
    assert [read(value) for value in fine] == fine
    for value in wrong:
        with pytest.raises(TreeError):
            read(value)


def test_a_duration_in_seconds() -> None:
    assert [seconds(each) for each in ("1.5s", "2m", "1h", "1d")] == [1.5, 120, 3_600, 86_400]
    with pytest.raises(ValueError, match="expected a duration"):
        seconds("5")
