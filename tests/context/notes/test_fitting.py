"""How much fits into a budget: of a list, of several parts, of a text."""

import pytest

from octochat.context.notes.fitting import cut, longest, shares
from tests.context.notes.logs import measure


def test_what_one_part_does_not_use_the_others_get() -> None:
    parts = {"a": 0.5, "b": 0.25, "c": 0.25}
    assert shares({"a": 10, "b": 1_000, "c": 1_000}, parts, 110) == {"a": 10, "b": 50, "c": 50}
    assert shares({"a": 1, "b": 1, "c": 1}, parts, 100) == {"a": 1, "b": 1, "c": 1}
    assert shares({"a": 90, "b": 90, "c": 90}, parts, 0) == {"a": 0, "b": 0, "c": 0}
    assert shares({"a": 5}, {"a": 1.0}, 0) == {"a": 0}
    assert shares({"a": 5, "b": 99, "c": 99}, parts, 11) == {"a": 5, "b": 3, "c": 3}


def test_the_longest_fitting_beginning_is_found_exactly() -> None:
    items = [f"{i}" for i in range(200)]
    found = longest(items, lambda some: "".join(f"{i:>4}" for i in some), 57, measure)
    assert len(found) == 57
    assert longest(items, "".join, 0, measure) == []
    assert longest(items, "".join, 10_000, measure) == items


@pytest.mark.parametrize("first", ["x", "x" * 90])
def test_of_a_list_that_is_far_too_long_little_is_measured(first: str) -> None:
    measured: list[int] = []

    def counted(text: str) -> int:
        measured.append(len(text))
        return measure(text)

    items = [first] * 150 + ["word " * 8] * 100_000
    kept = longest(items, "\n".join, 5_000, counted)
    assert measure("\n".join(kept)) <= 5_000 < measure("\n".join(items[: len(kept) + 1]))
    assert max(measured) < 2.5 * 4 * 5_000


def test_a_wrong_guess_is_put_right_in_a_few_steps() -> None:
    measured: list[int] = []

    def counted(text: str) -> int:
        measured.append(len(text))
        return len(text)

    items = ["x" * 100] * 1_000 + ["x"] * 1_000  # the first ones are twice as long as all are
    assert len(longest(items, "".join, 50_000, counted)) == 500
    assert len(measured) < 15


def test_a_cut_keeps_head_and_tail_and_the_length() -> None:
    assert cut("short", 10) == "short"
    assert cut("a" * 50 + "b" * 50, 31) == "a" * 18 + " […] " + "b" * 8
    assert cut("a" * 50, 3) == " […] "
