"""What the arguments of `grep`, `rg` and `jq` are."""

import pytest

from octochat.permissions.searchers import goes_deep, known, pattern_at, says_where


@pytest.mark.parametrize(
    ("line", "place", "where"),
    [
        ("grep x a", 1, True),
        ("grep x", 1, False),
        ("grep -n x a", 2, True),
        ("grep -A 3 x", 3, False),
        ("grep -A 3 x a", 3, True),
        ("grep -A3 x a", 2, True),
        ("grep x -A 3", 1, False),
        ("grep -- -x a", 2, True),
        ("grep -- -- -x", 2, True),
        ("grep - a", 1, True),
        ("grep -n", None, False),
        ("grep -e x a b", None, False),
        ("rg -tpy x a", 2, True),
        ("rg --pre x a b", None, False),
        ("jq --arg x y z", None, False),
        ("cat x a", None, False),
    ],
)
def test_the_first_word_that_is_no_option_is_the_pattern_and_the_rest_is_looked_into(
    line: str, place: int | None, *, where: bool
) -> None:
    words = tuple(line.split())
    assert pattern_at(words) == place
    assert says_where(words) is where


@pytest.mark.parametrize(
    ("line", "understood"),
    [
        ("grep -n x", True),
        ("grep -e x -d skip", True),
        ("grep --foo x", False),
        ("grep -e x --foo", False),
        ("fgrep --foo x", False),
        ("rg --foo x", True),
    ],
)
def test_an_option_of_grep_that_is_not_known_may_name_a_file(
    line: str, *, understood: bool
) -> None:
    assert known(tuple(line.split())) is understood


@pytest.mark.parametrize(
    ("line", "deep"),
    [
        ("grep x a", False),
        ("grep -n -A 3 x a", False),
        ("grep -r x", True),
        ("grep x -n -R", True),
        ("egrep --recursive x", True),
        ("rg x a", True),
        ("cat -r x", False),
    ],
)
def test_a_search_below_folders_is_told_from_one_in_files(line: str, *, deep: bool) -> None:
    assert goes_deep(tuple(line.split())) is deep
