import pytest

from octochat.text.figures import ago, elapsed, roughly


@pytest.mark.parametrize(
    ("since", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3_599, "60 minutes ago"),
        (3_600, "1 hour ago"),
        (172_799, "48 hours ago"),
        (172_800, "2 days ago"),
    ],
)
def test_an_age_is_told_in_its_own_unit(since: float, words: str) -> None:
    assert ago(1_000_000, 1_000_000 + since) == words


@pytest.mark.parametrize(
    ("cost", "words"), [(0, "nothing"), (0.0004, "less than $0.001"), (0.03, "about $0.030")]
)
def test_an_estimate_is_a_phrase(cost: float, words: str) -> None:
    assert roughly(cost) == words


def test_what_goes_on_is_told_in_whole_seconds() -> None:
    assert [elapsed(t) for t in (-1, 0.9, 9.6, 59.9, 104)] == [
        "0 s", "0 s", "9 s", "59 s", "1 m 44 s",
    ]  # fmt: skip
