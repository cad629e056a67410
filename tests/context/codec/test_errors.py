"""What an error message shows of a wrong value."""

import pytest

from octochat.context.codec.errors import TreeError, dotted, nearest, shown
from octochat.context.codec.trees import from_tree


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        ({}, "a table"),
        ((), "a list"),
        (1.5, "1.5"),
        (True, "true"),
        ("Zoë", '"Zoë"'),
        ("x" * 58, '"' + "x" * 58 + '"'),
        ("x" * 59, '"' + "x" * 56 + "..."),
        (object(), "a object"),
    ],
)
def test_a_value_is_shown_in_60_characters_at_most(value: object, text: str) -> None:
    assert shown(value) == text


def test_a_word_of_which_half_is_right_was_probably_meant() -> None:
    assert nearest("abcd", ["abxy"]) == "abxy"
    assert nearest("abcd", ["axyz"]) is None
    assert nearest("abcd", ["abxy", "abcx"]) == "abcx"


def test_numbers_go_as_far_as_json_is_exact() -> None:
    for hint in (int, float):
        assert from_tree(hint, -9_007_199_254_740_992) == -(2**53)
        with pytest.raises(TreeError, match="expected a smaller number"):
            from_tree(hint, 9_007_199_254_740_993)


def test_a_path_is_written_as_people_write_it() -> None:
    assert dotted(("levels", 1, "a-b", "Zoë B")) == 'levels[1].a-b."Zoë B"'
