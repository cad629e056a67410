"""Prose into passages."""

import pytest

from octochat.context.notes.sentences import LONGEST, passages


@pytest.mark.parametrize(("more", "together"), [(119, True), (120, False)])
def test_a_sentence_leans_on_the_one_before_as_long_as_both_are_short_enough(
    more: int, together: bool
) -> None:
    first = "the hull of the boat is oak ".ljust(299, "x") + "."
    then = "But the mast of the boat is ".ljust(more - 1, "x") + "."
    assert len(first) + len(then) == LONGEST - together
    assert passages(f"{first} {then}") == ((f"{first} {then}",) if together else (first, then))


def test_what_is_too_short_says_nothing_and_what_is_too_long_is_cut() -> None:
    assert passages("it is made of oak wood.") == ()
    assert passages("it is made of oak woods.") == ("it is made of oak woods.",)
    assert passages("oakwoodandpinewood andwillow.") == ()
    assert passages("oakwood pinewood andwillows.") == ()
    assert passages("oakwood pinewood and willow.") == ("oakwood pinewood and willow.",)
    assert [len(each) for each in passages("a b c d " + "e" * LONGEST)] == [LONGEST]
