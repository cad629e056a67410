"""Which note is written ahead, and whether it serves the plan that is carried out."""

from dataclasses import replace

import pytest

from octochat.context.plans.ahead import reusable, wanted_soon
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Level
from octochat.context.session.edits import NoteRequest
from octochat.context.session.events import Pinned
from octochat.context.session.watermarks import Watermark, Watermarks
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.pressure import Pressure
from tests.build import Story, exchanges, ids

LEVELS = (Level(20_000, 2.0), Level(40_000, 4.0))
EAGER = Pressure(pressure_levels=LEVELS, require_benefit=False)


@pytest.mark.parametrize(
    ("size", "near"),
    [
        (17_999, False),
        (18_000, True),
        (19_999, True),
        (20_000, False),
        (36_000, True),
        (40_000, False),
    ],
)
def test_a_note_is_near_in_the_last_tenth_before_a_level(size: int, near: bool) -> None:
    story = exchanges(10, 1_000, Story(head=size - 10_000))
    wanted = wanted_soon(story.situation(), (Fifo(), EAGER), 0.9)
    assert (wanted is not None) is near
    if wanted:
        assert (wanted[0], wanted[1].first) == ("pressure", 2)


def marked(size: int, mark: Watermark) -> Situation:
    now = exchanges(10, 1_000, Story(head=size - 10_000)).situation()
    marks = Watermarks(own=(("pressure", mark),))
    return replace(now, state=replace(now.state, watermarks=marks))


@pytest.mark.parametrize(("mark", "size"), [(22_000, 22_000), (18_000, 19_000)])
def test_while_a_compression_cools_down_a_note_is_near_when_the_next_is_due(
    mark: int, size: int
) -> None:
    now = marked(size, Watermark(mark, "compression"))
    assert wanted_soon(now, (EAGER,), 0.9) is not None
    assert wanted_soon(now, (EAGER,), 1.0) is None


@pytest.mark.parametrize("size", [22_004, 22_005])
def test_what_came_to_nothing_is_not_tried_ahead_before_the_context_has_grown(size: int) -> None:
    assert wanted_soon(marked(size, Watermark(size, "hold")), (EAGER,), 0.9) is None


def test_none_is_near_where_the_ladder_comes_first_or_there_are_no_levels() -> None:
    story = exchanges(18, 1_000)
    assert wanted_soon(story.situation(max_session=20_000), (EAGER,), 0.9) is not None
    assert wanted_soon(story.situation(max_session=19_999), (EAGER,), 0.9) is None
    assert wanted_soon(story.situation(), (Fifo(),), 0.9) is None
    assert wanted_soon(story.situation(), (Pressure(pressure_levels=()),), 0.9) is None


def test_none_is_near_where_the_strategy_would_hold_then() -> None:
    story = Story(head=18_000).say(500)
    assert wanted_soon(story.situation(), (EAGER,), 0.9) is None


def used(story: Story, written: int, **changes: object) -> NoteRequest | None:
    """The note on the first so many units, for a plan that takes the first ten."""
    units = list(ids(story))
    plan = NoteRequest(units[0], units[9], 2_000)
    request = replace(plan, last=units[written - 1], **changes)  # pyright: ignore[reportArgumentType]
    return reusable(story.state, request, units[:written], plan)


@pytest.mark.parametrize(("written", "serves"), [(6, False), (7, True), (10, True)])
def test_it_must_stand_for_seven_tenths_of_what_would_go(written: int, serves: bool) -> None:
    assert (used(exchanges(8, 1_000), written) is not None) is serves


def test_a_note_of_another_style_is_of_no_use() -> None:
    assert used(exchanges(8, 1_000), 10, style="outcome") is None


def test_what_was_pinned_since_is_not_folded() -> None:
    story = exchanges(8, 1_000)
    story.add(0, Pinned(list(ids(story))[3]))
    assert used(story, 10) is None
