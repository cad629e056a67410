"""What a server reports, and whether it is believed."""

import pytest

from octochat.context.session.usage import Usage


def test_every_part_of_the_input_counts() -> None:
    used = Usage(fresh=1, cache_read=10, cache_write=100, cache_write_1h=1_000, output=10_000)
    assert (used.prompt, used.context) == (1_111, 11_111)
    assert used + used == Usage(2, 20, 200, 2_000, 20_000)
    assert used.caches
    assert not Usage(fresh=5, output=9).caches


@pytest.mark.parametrize(
    ("reported", "counted", "believed"),
    [
        (0, 1_999, True),
        (0, 2_000, False),
        (1_000, 3_000, True),
        (1_000, 3_001, False),
        (9_000, 3_000, True),
    ],
)
def test_less_than_a_third_of_what_octochat_counts_is_not_believed(
    reported: int, counted: int, believed: bool
) -> None:
    assert Usage(fresh=reported, output=50_000).plausible(counted) is believed
