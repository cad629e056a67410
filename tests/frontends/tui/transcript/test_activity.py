"""The sign of life: what a turn is at, for how long, and how much has come."""

import pytest

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Condensed, Entry, Held, Replied, Returned, Usage
from octochat.frontends.tui.transcript.activity import Activity
from octochat.models.port import (
    CallDelta,
    Compressing,
    Delta,
    Retrying,
    TextDelta,
    ThinkingDelta,
    ToolStarted,
)

CALL = ToolCall("c", "bash", {"command": "make"})


def said(*items: Entry | Delta, after: float = 3.0, at: float = 0.0) -> str:
    """What is said `after` so many seconds of a turn in which everything came `at` one moment."""
    activity = Activity(100.0)
    for item in items:
        activity.hear(item, 100.0 + at)
    return " · ".join(activity.words(100.0 + after))


def entry(event: Replied | Returned | Condensed | Held) -> Entry:
    return Entry(1, 0.0, 0, event)


def test_before_anything_comes_it_waits() -> None:
    assert said(after=0.2) == "Waiting · 0 s"
    assert said(after=192) == "Waiting · 3 m 12 s"


def test_it_names_what_is_done_and_counts_what_is_written() -> None:
    thought = ThinkingDelta("x" * 400)
    assert said(thought) == "Thinking · 3 s · 100 tokens"
    assert said(thought, TextDelta("y" * 4_400)) == "Writing · 3 s · 1.2k tokens"
    assert said(CallDelta("c", "bash", "{}" * 200)) == "Writing · 3 s · 100 tokens"
    assert said(ToolStarted(CALL)) == "Running bash · 3 s"
    assert said(Compressing("pressure", "", 9)) == "Compressing · 3 s"


@pytest.mark.parametrize(
    "end", [Condensed("pressure", "full", 9_000, 900), Held("pressure", "no note")]
)
def test_a_compression_is_over_when_it_is_done_or_given_up(end: Condensed | Held) -> None:
    assert said(Compressing("pressure", "", 9), entry(end)) == "Waiting · 3 s"


def test_what_the_api_counted_takes_the_place_of_the_estimate() -> None:
    reply = entry(Replied((Text("y"), CALL), "tool_use", usage=Usage(output=70)))
    assert said(TextDelta("y" * 400), reply, ToolStarted(CALL)) == "Running bash · 3 s · 70 tokens"
    result = entry(Returned("c", (Text("ok"),)))
    assert said(reply, ToolStarted(CALL), result) == "Waiting · 3 s · 70 tokens"


def test_what_a_failed_call_had_written_does_not_count() -> None:
    failed = Retrying("Overloaded", "overloaded", 9, 2, 5)
    assert said(TextDelta("y" * 400), failed) == "Waiting to try again · 3 s"


def test_a_tool_that_runs_has_its_own_seconds_beside_those_of_the_turn() -> None:
    assert said(ToolStarted(CALL), at=99.2, after=104) == "Running bash · 4 s · turn 1 m 44 s"
    reply = entry(Replied((Text("y"), CALL), "tool_use", usage=Usage(output=70)))
    both = said(reply, ToolStarted(CALL), at=2, after=104)
    assert both == "Running bash · 1 m 42 s · turn 1 m 44 s · 70 tokens"


def test_while_the_person_thinks_the_turn_is_not_at_work() -> None:
    assert said(ToolStarted(CALL, 40.0), at=43, after=44) == "Running bash · 1 s · turn 4 s"
    waited = entry(Returned("c", (Text("ok"),), waited=40.0))
    assert said(ToolStarted(CALL, 40.0), waited, after=44) == "Waiting · 4 s"
    assert said(waited, after=44) == "Waiting · 4 s"  # it was refused and never ran


def test_of_several_tools_the_last_one_that_still_runs_is_named() -> None:
    other = ToolCall("d", "grep", {"pattern": "x"})
    started = ToolStarted(CALL), ToolStarted(other)
    assert said(*started) == "Running grep · 3 s"
    assert said(*started, entry(Returned("d", (Text("ok"),)))) == "Running bash · 3 s"
