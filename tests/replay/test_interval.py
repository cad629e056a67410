"""Intervals say how much a figure hangs on which recordings there were."""

from octochat.replay.interval import GROUPS, Estimate, Sample


def sample(*pairs: tuple[int, int]) -> Sample:
    made = Sample()
    for place, (above, below) in enumerate(pairs):
        made.add(place, above, below)
    return made


def test_equal_recordings_leave_no_doubt() -> None:
    assert sample((1, 4), (1, 4), (1, 4)).estimate() == Estimate(0.25, 0.25, 0.25)


def test_unlike_recordings_leave_doubt_and_more_of_them_less() -> None:
    few, many = sample((0, 1), (1, 1)), sample(*[(0, 1), (1, 1)] * 50)
    assert few.estimate() == Estimate(0.5, 0.0, 1.0)
    estimate = many.estimate()
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0.38 < estimate.low < 0.45
    assert 0.55 < estimate.high < 0.62


def test_recordings_without_the_figure_are_not_drawn() -> None:
    assert sample((1, 2), (0, 0), (1, 2)).estimate() == sample((1, 2), (1, 2)).estimate()


def test_one_recording_has_no_interval_and_none_no_figure() -> None:
    assert sample((1, 2)).estimate() == Estimate(0.5)
    assert sample().estimate() == Estimate()


def test_the_same_recordings_always_have_the_same_interval() -> None:
    pairs = [(n % 7, 7) for n in range(30)]
    assert sample(*pairs).estimate() == sample(*pairs).estimate()


def test_more_recordings_than_groups_are_added_up() -> None:
    many = sample(*[(1, 2)] * (3 * GROUPS))
    assert many.estimate() == Estimate(0.5, 0.5, 0.5)
