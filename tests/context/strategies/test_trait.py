"""The facts about the strategies of the context strategy trait."""

import pytest

from octochat.context.plans.strategy import Strategy
from octochat.context.session.edits import Hold, NoteRequest, Plan
from octochat.context.session.view import Note
from octochat.context.strategies.priority import Priority, score
from octochat.context.strategies.token_window import SlidingWindowTokens, SlidingWindowWithSummary
from tests.context.strategies.stage import (
    after,
    called,
    left,
    noted,
    replied,
    said,
    situation,
    skill,
)

ALL: tuple[Strategy, ...] = (SlidingWindowTokens(), SlidingWindowWithSummary(), Priority())
FOUR = (said(size=19), replied(size=20), said(size=20), replied(size=18))


def test_the_window_of_tokens_keeps_the_newest_that_fit() -> None:
    assert left(after(SlidingWindowTokens(), situation(*FOUR, window=30))) == [3]


def test_the_system_prompt_stays_and_takes_its_room() -> None:
    now = situation(said(size=20), replied(size=18), said(size=6), head=13, window=40)
    assert left(after(SlidingWindowTokens(), now)) == [1, 2]
    kept = situation(
        skill("x" * 52), said(size=20), replied(size=18), said(size=6), skills=(0,), window=40
    )
    assert left(after(SlidingWindowTokens(), kept)) == [0, 2, 3]


def test_the_window_stops_at_the_first_that_does_not_fit() -> None:
    now = situation(said(size=1), replied(size=50), said(size=5), replied(size=5), window=20)
    assert left(after(SlidingWindowTokens(), now)) == [2, 3]


def test_the_prompt_being_answered_stays_even_if_it_alone_is_too_big() -> None:
    now = situation(*FOUR, said(size=500), answering=4, window=30)
    for strategy in ALL:
        assert left(after(strategy, now)) == [4]


def test_what_the_api_counts_beyond_the_parts_is_taken_off() -> None:
    now = situation(*FOUR, window=42, margin=5)
    assert left(after(SlidingWindowTokens(), now)) == [3]
    assert left(after(SlidingWindowTokens(), situation(*FOUR, window=43, margin=5))) == [2, 3]


def test_a_budget_below_zero_counts_as_none() -> None:
    now = situation(*FOUR, head=100, window=30)
    for strategy in ALL:
        assert isinstance(strategy.decide(now), Plan)


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_where_everything_fits_or_nothing_is_there_nothing_changes(strategy: Strategy) -> None:
    for now, n in ((situation(*FOUR, window=77), 77), (situation(window=0), 0)):
        assert strategy.decide(now) == Hold(f"the messages fit: {n} of {n} tokens")
        assert after(strategy, now) is now.state.view


@pytest.mark.parametrize(
    "strategy",
    [
        SlidingWindowTokens(low_water=0.5),
        SlidingWindowWithSummary(max_summary_tokens=12, low_water=0.5),
        Priority(low_water=0.5),
    ],
    ids=lambda s: s.name,
)
def test_low_water_frees_more_at_one_go(strategy: Strategy) -> None:
    assert len(left(after(strategy, situation(*FOUR, window=74)))) == 1


def test_the_summary_has_its_room_reserved_and_comes_at_once() -> None:
    strategy = SlidingWindowWithSummary(max_summary_tokens=12)
    now = situation(*FOUR, window=50)
    decision = strategy.decide(now)
    assert isinstance(decision, Plan)
    assert decision.fold == NoteRequest(0, 1, 12, style="paragraph")
    view = after(strategy, now, note="they spoke")
    assert isinstance(view.units[0], Note)
    assert "they spoke" in str(view.units[0].blocks)
    assert left(view) == [2, 3]
    assert left(after(SlidingWindowWithSummary(max_summary_tokens=13), now)) == [3]


def test_the_summary_may_take_500_tokens_unless_told_otherwise() -> None:
    long = (said(size=3_000), replied(size=3_000), said(size=50))
    decision = SlidingWindowWithSummary().decide(situation(*long, window=4_000))
    assert isinstance(decision, Plan)
    assert decision.fold == NoteRequest(0, 0, 500, style="paragraph")


def test_the_earlier_summary_makes_room_for_the_new_one() -> None:
    now = situation(noted(size=12, covers=(70,)), *FOUR, window=50)
    view = after(SlidingWindowWithSummary(max_summary_tokens=12), now)
    assert left(view) == [3, 4]
    assert [u.covers for u in view.units if isinstance(u, Note)] == [(1, 2, 70)]


def test_priority_keeps_the_persons_questions() -> None:
    units = (said(size=18), replied(size=18), said(size=8), replied(size=10))
    now = situation(*units, head=10, window=45)
    assert left(after(Priority(), now)) == [0, 2]


def test_priority_skips_what_does_not_fit_and_keeps_the_order() -> None:
    units = (said(size=5), said(size=90), replied(size=5), said(size=5))
    assert left(after(Priority(), situation(*units, window=15))) == [0, 2, 3]


def test_priority_takes_off_what_stays_anyway_and_what_the_api_counts_beyond_the_parts() -> None:
    talk = (said(size=10), replied(size=10), replied(size=10))
    gap = noted("[octochat left out 2 earlier messages here]", 10)
    assert left(after(Priority(), situation(gap, *talk, window=29))) == [1, 3]
    assert left(after(Priority(), situation(noted(size=10), *talk, window=29))) == [1]
    assert left(after(Priority(), situation(*talk, pins=(1,), window=29))) == [0, 1]
    assert left(after(Priority(), situation(*FOUR, window=42, margin=5))) == [2]


def test_a_call_never_parts_from_its_results() -> None:
    now = situation(said(size=5), called("r" * 400), replied(size=5), said(size=5), window=40)
    assert left(after(Priority(), now)) == [0, 2, 3]


def test_the_scores_are_the_seeds() -> None:
    units = situation(said(), called("r"), replied(), skill()).state.view.units
    assert [score(unit, 0.5) for unit in units] == [125, 100, 75, 75]
    assert [score(unit, 1.0) for unit in units] == [150, 120, 90, 90]


def test_a_recent_call_is_worth_more_than_an_old_question() -> None:
    units = (said(size=10), replied(size=10), replied(size=10), called("r", size=9, each=1))
    assert left(after(Priority(), situation(*units, replied(size=10), window=10))) == [3]
    assert left(after(Priority(), situation(*units, replied(size=10), window=20))) == [0, 3]


def test_the_first_message_has_some_recency_too() -> None:
    units = (said(size=10), replied(size=10), called("r", size=9, each=1), replied(size=10))
    assert left(after(Priority(), situation(*units, window=10))) == [0]


def test_more_recent_messages_score_higher_within_their_kind() -> None:
    units = [replied(size=10)] * 4
    assert left(after(Priority(), situation(*units, window=20))) == [2, 3]
