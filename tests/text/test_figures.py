import pytest

from octochat.text.figures import ago


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
