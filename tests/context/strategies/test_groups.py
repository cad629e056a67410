"""The facts about auto-coder's conversation pruner."""

from dataclasses import replace

import pytest

from octochat.context.plans.strategy import Strategy
from octochat.context.session.edits import Fold, Hold, NoteRequest, Plan
from octochat.context.session.view import Note
from octochat.context.strategies.groups import GroupHybrid, GroupSummarize, GroupTruncate
from tests.context.strategies.stage import (
    after,
    called,
    discouraging,
    left,
    noted,
    replied,
    said,
    situation,
)

TALK = (said(size=5_000), replied(size=5_000)) * 6  # 60,000 tokens
ALL: tuple[Strategy, ...] = (GroupSummarize(), GroupTruncate(), GroupHybrid())


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_under_the_safe_zone_nothing_changes(strategy: Strategy) -> None:
    now = situation(*TALK[:10])
    assert strategy.decide(now) == Hold("50,000 tokens are inside the safe zone of 50,000")
    assert isinstance(strategy.decide(situation(*TALK[:10], margin=1)), Plan)


def test_the_first_group_is_dropped_while_over() -> None:
    assert left(after(GroupTruncate(), situation(*TALK))) == list(range(4, 12))
    tight = GroupTruncate(safe_zone_tokens=20_000)
    assert left(after(tight, situation(*TALK))) == [8, 9, 10, 11]


@pytest.mark.parametrize(
    "low",
    [GroupSummarize(low_water=0.5), GroupTruncate(low_water=0.5), GroupHybrid(low_water=0.5)],
    ids=lambda s: s.name,
)
def test_low_water_takes_more_groups_at_one_go(low: Strategy) -> None:
    for now in (situation(*TALK), discouraging(situation(*TALK), low.name, 60_000)):
        assert left(after(low, now)) == [8, 9, 10, 11]


@pytest.mark.parametrize(("zone", "stay"), [(40_050, 8), (40_049, 4)])
def test_hybrid_drops_as_much_as_makes_room_for_the_word_about_it(zone: int, stay: int) -> None:
    now = discouraging(situation(*TALK), "group_hybrid", 60_000)
    assert len(left(after(GroupHybrid(zone), now))) == stay


@pytest.mark.parametrize(
    "strategy", [GroupSummarize(1), GroupTruncate(1), GroupHybrid(1)], ids=lambda s: s.name
)
def test_a_zone_that_cannot_be_reached_ends_and_says_so(strategy: Strategy) -> None:
    now = situation(*TALK)
    for _ in range(3):
        view = after(strategy, now)
        assert left(view) == [8, 9, 10, 11]  # never everything
    stuck = situation(noted(size=10), *TALK[:4])
    decision = strategy.decide(stuck)
    assert isinstance(decision, Hold)
    assert "can't be reached" in decision.why


def test_a_group_is_of_four_unless_told_otherwise() -> None:
    strategy = GroupTruncate(group_size=2)
    assert left(after(strategy, situation(*TALK))) == list(range(2, 12))


def test_as_many_groups_as_it_takes_become_one_summary_by_one_call() -> None:
    decision = GroupSummarize(safe_zone_tokens=25_000).decide(situation(*TALK))
    assert isinstance(decision, Plan)
    assert decision.fold == NoteRequest(0, 7, 500, style="paragraph")
    view = after(GroupSummarize(safe_zone_tokens=25_000), situation(*TALK))
    assert sum(isinstance(unit, Note) for unit in view.units) == 1


def test_an_earlier_summary_is_folded_in() -> None:
    now = situation(noted(size=300, covers=(80,)), *TALK)
    view = after(GroupSummarize(), now)
    assert [u.covers for u in view.units if isinstance(u, Note)] == [(1, 2, 3, 4, 80)]


def test_hybrid_sums_up_first_and_drops_where_that_fails() -> None:
    now = situation(*TALK)
    decision = GroupHybrid().decide(now)
    assert isinstance(decision, Plan)
    assert isinstance(decision.fold, NoteRequest)
    assert decision.fallback
    assert isinstance(decision.fallback.fold, Fold)
    failed = GroupHybrid().decide(discouraging(now, "group_hybrid", 60_000))
    assert isinstance(failed, Plan)
    assert isinstance(failed.fold, Fold)
    assert (failed.fold.first, failed.fold.last) == (0, 3)  # and no more than it takes


@pytest.mark.parametrize(
    ("zone", "fold"),
    [(20_500, NoteRequest), (20_499, Fold), (20_050, Fold), (20_049, NoteRequest)],
)
def test_hybrid_drops_where_only_that_would_bring_it_inside(zone: int, fold: type) -> None:
    now = situation(*TALK)
    tight = GroupHybrid(safe_zone_tokens=zone)  # 20,000 stay; a summary has 500, a word of it 50
    decision = tight.decide(now)
    assert isinstance(decision, Plan)
    assert isinstance(decision.fold, fold)
    if fold is Fold:
        assert after(tight, now).size <= zone


def test_what_goes_is_counted_as_the_api_counts() -> None:
    now = situation(*TALK)
    light = replace(now, state=replace(now.state, context=now.state.context * 9 // 10))
    zone = GroupHybrid(safe_zone_tokens=36_200)
    gone = zone.decide(light)
    assert isinstance(gone, Plan)
    assert isinstance(gone.fold, NoteRequest)
    assert (gone.fold.first, gone.fold.last) == (0, 7)  # 4 would free 18,000 - 500 of 17,800


def test_where_the_api_counts_more_than_octochat_no_part_counts_for_more_than_it_is() -> None:
    now = situation(*TALK)
    heavy = replace(now, state=replace(now.state, context=now.state.context * 12 // 10))
    for zone, stay in ((52_000, 8), (51_999, 4)):
        assert len(left(after(GroupTruncate(safe_zone_tokens=zone), heavy))) == stay


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_calls_and_results_stay_together_and_the_prompt_stays(strategy: Strategy) -> None:
    units = (said(size=9), *[called("r", "s", each=9_000)] * 7)
    assert 0 in left(after(strategy, situation(*units, answering=0)))
