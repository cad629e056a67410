"""A session's own log answers what other strategies would have cost in it."""

import re

import pytest

from octochat.config.load import Config
from octochat.config.profiles import PROFILES
from octochat.context.session.content import Text
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Opened,
    Prompted,
    Replied,
    Usage,
)
from octochat.context.strategies import STRATEGIES
from octochat.replay.recording import ReadError
from octochat.replay.whatif import whatif


def log(*events: Event) -> list[Entry]:
    return [Entry(n, 1_000.0 + 60 * n, 5, event) for n, event in enumerate(events, 1)]


def test_every_strategy_is_compared_with_yours_and_with_doing_nothing() -> None:
    turns = [Prompted((Text("word " * 9_000),)), Replied((Text("yes"),), usage=Usage(output=9))]
    text = whatif("s1", log(Opened("m", ""), *turns * 40), Config(), "claude-sonnet-5-5", 80)
    rows = re.findall(r"^([ ›]) (\w+) +(\$.+)", text, re.MULTILINE)
    equal = re.findall(r"^Equal to \w+, and left out: (\d+) \((.+)\)", text, re.MULTILINE)
    left_out = [name for _, names in equal for name in names.split(", ")]
    names = [name for _, name, _ in rows]
    assert sorted(names + left_out) == sorted(["none", "yours", *PROFILES, *STRATEGIES])
    assert "balanced" in left_out
    assert [name for mark, name, _ in rows if mark == "›"] == ["yours"]
    assert sum(int(number) for number, _ in equal) == len(left_out)
    figures = [cells for _, name, cells in rows if name not in {"none", "yours"}]
    assert len(set(figures)) == len(figures)
    costs = {name: float(cells.split()[0][1:]) for _, name, cells in rows}
    assert 0 < costs["yours"] <= costs["none"]
    table = text.partition("\nEqual")[0]
    assert max(map(len, table.splitlines())) <= 80


def test_what_was_condensed_in_the_session_is_played_as_it_went() -> None:
    said = (Prompted((Text("hi"),)), Replied((Text("yes"),)))
    opened = Opened("m", "")
    plain = whatif("s", log(opened, *said, *said), Config(), "claude-sonnet-5-5", 80)
    folded = Condensed("fifo", "over", 10, 5)
    went = log(opened, *said, folded, *said)
    assert whatif("s", went, Config(), "claude-sonnet-5-5", 80) == plain


def test_where_there_is_less_room_the_columns_that_tell_least_are_left_out() -> None:
    said = (Prompted((Text("hi"),)), Replied((Text("yes"),), usage=Usage(output=9)))
    told = {
        width: whatif("s", log(Opened("m", ""), *said), Config(), "claude-sonnet-5-5", width)
        for width in (80, 30, 20, 10)
    }
    for width in (80, 30, 20):
        assert max(map(len, told[width].partition("\nEqual")[0].splitlines())) <= width
    heads = {width: text.splitlines()[0].split() for width, text in told.items()}
    assert heads[80] == ["cost", "of", "none", "mean", "peak", "edits", "far"]
    assert heads[30] == ["cost", "of", "none", "far"]
    assert heads[20] == heads[10] == ["of", "none"]


def test_a_log_without_an_opening_is_refused() -> None:
    with pytest.raises(ReadError):
        whatif("s", log(Prompted((Text("hi"),))), Config(), "m", 80)
