"""Endless lines, and patterns with many stars: how much work it is to look them through."""

import pytest

from octochat.permissions.commandline import may_hide, may_run
from tests.effort import lines_run


@pytest.mark.parametrize(("pattern", "runs"), [(("a", "*"), True), (("*", "rm", "*"), False)])
def test_an_endless_line_is_looked_through_as_far_as_one_of_its_length_can_be_understood(
    pattern: tuple[str, ...], runs: bool
) -> None:
    long, endless = "a " * 10_000, "a " * 20_000
    assert may_hide(pattern, endless)
    assert may_run(pattern, endless) == runs
    assert lines_run(lambda: may_run(pattern, endless)) == lines_run(lambda: may_run(pattern, long))


@pytest.mark.parametrize("pattern", ["a * b * c", "* a * b * a * c", "a * a * a * a * a * c"])
def test_a_pattern_with_several_stars_looks_through_a_line_twice_as_long_with_twice_the_work(
    pattern: str,
) -> None:
    parts = tuple(pattern.split())
    for line in ("{}", "x; ({}"):
        short, long = line.format("a b " * 500), line.format("a b " * 1_000)
        assert not may_run(parts, long)
        work = lines_run(lambda short=short: may_run(parts, short))
        assert lines_run(lambda long=long: may_run(parts, long)) < 2.2 * work
    assert may_run(parts, "a b " * 2_499 + "a c")
