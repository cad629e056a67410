"""The facts about the pruning strategies of Octopus."""

import pytest

from octochat.context.session.content import Text
from octochat.context.session.edits import Hold, NoteRequest, Plan
from octochat.context.session.validity import problems
from octochat.context.session.view import Note
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.sliding_window import SlidingWindow
from octochat.context.strategies.summarize import Summarize
from tests.context.strategies.stage import (
    Made,
    after,
    called,
    left,
    noted,
    replied,
    said,
    situation,
)


def count(text: str) -> int:
    """Octopus' counter: max(1, len / 4) a text, + 4 a message."""
    return max(1, len(text) // 4) + 4


WORDS = "x" * 36
TEN: tuple[Made, ...] = (said(WORDS), replied(WORDS)) * 5
ROUND: tuple[Made, ...] = (said(), called("result"), replied(), said(), replied())


def test_the_counter_gives_the_tables_13_tokens() -> None:
    assert situation(*TEN, measure=count).state.view.size == 130


@pytest.mark.parametrize(("target", "least", "stay"), [(50, 2, 2), (0, 6, 6), (0, 5, 6)])
def test_fifo_drops_pairs_from_the_oldest_on_and_never_undershoots(
    target: int, least: int, stay: int
) -> None:
    now = situation(*TEN, measure=count, window=target)
    view = after(Fifo(min_history_messages=least), now)
    assert left(view) == list(range(10 - stay, 10))


def test_fifo_takes_one_message_where_no_reply_follows_it() -> None:
    now = situation(said(size=10), said(size=10), replied(size=10), window=25)
    assert left(after(Fifo(min_history_messages=0), now)) == [1, 2]


def test_fifo_holds_inside_its_budget_whatever_comes_of_the_reserve() -> None:
    now = situation(*TEN, measure=count, head=70, window=220, reserve=20)
    assert Fifo().decide(now) == Hold("the messages fit: 130 of 130 tokens")
    assert isinstance(Fifo(max_tokens=129).decide(now), Plan)


def test_fifo_frees_down_to_its_low_water_at_one_go() -> None:
    now = situation(*TEN, measure=count)
    assert left(after(Fifo(max_tokens=104), now)) == list(range(2, 10))
    assert left(after(Fifo(max_tokens=104, low_water=0.5), now)) == [6, 7, 8, 9]
    assert left(after(Fifo(max_tokens=103, low_water=0.5), now)) == [6, 7, 8, 9]  # the least
    assert left(after(Fifo(103, 0, low_water=0.5), now)) == [8, 9]
    assert left(after(Fifo(104, 0, low_water=0.5), now)) == [6, 7, 8, 9]


def test_fifo_takes_one_reply_with_a_message_and_none_that_must_stay() -> None:
    talk = (said(size=10), called("r", size=5, each=5), replied(size=10), said(size=10))
    assert left(after(Fifo(min_history_messages=0), situation(*talk, window=39))) == [2, 3]
    pinned = situation(said(size=10), replied(size=10), said(size=10), pins=(1,), window=15)
    assert left(after(Fifo(min_history_messages=0), pinned)) == [1]


def test_fifo_leaves_the_summary_of_another_strategy_and_has_one_gap_note() -> None:
    now = situation(noted(size=10), *TEN, measure=count)
    view = after(Fifo(max_tokens=100), now)
    assert [unit.id for unit in view.units][:3] == [0, 500, 5]
    gap = situation(noted("[octochat left out 2 earlier messages here]", 10, (7, 8)), *TEN)
    view = after(Fifo(max_tokens=60), gap)
    (note, *_) = view.units
    assert isinstance(note, Note)
    assert note.covers == (1, 2, 3, 4, 5, 6, 7, 8)[: len(note.covers)]
    assert "[octochat left out 8 earlier messages here" in str(note.blocks)
    assert sum(isinstance(unit, Note) for unit in view.units) == 1


def test_the_prompt_being_answered_and_pins_stay_in_every_window() -> None:
    units = (said(size=50), called("r", each=50), said(size=50), replied(size=50))
    for strategy in (Fifo(max_tokens=1, min_history_messages=0), SlidingWindow(turns=1)):
        now = situation(*units, answering=2, pins=(0,))
        assert {0, 2} <= set(left(after(strategy, now)))


@pytest.mark.parametrize("most", [5, 20, 40, 60])
def test_in_a_tool_loop_no_result_comes_first_and_no_call_stays_alone(most: int) -> None:
    now = situation(said(size=20), called("r" * 80), replied(size=20), said(size=20))
    for strategy in (Fifo(max_tokens=most, min_history_messages=1), SlidingWindow(turns=1)):
        view = after(strategy, now)
        assert problems(view.messages("m", binds=True)) == ()
        assert view.units[-1] == now.state.view.units[-1]


@pytest.mark.parametrize(("n", "gone"), [(10, 3), (4, 1), (3, 0), (1, 0)])
def test_summarize_takes_the_oldest_three_tenths_rounded_down(n: int, gone: int) -> None:
    now = situation(*TEN[:n], measure=count, window=0)
    decision = Summarize().decide(now)
    if not gone:
        assert isinstance(decision, Hold)  # so no model is called
        return
    assert isinstance(decision, Plan)
    assert isinstance(decision.fold, NoteRequest)
    assert (decision.fold.first, decision.fold.last) == (0, gone - 1)
    assert decision.fold.style == "paragraph"
    assert left(after(Summarize(), now)) == list(range(gone, n))


def test_summarize_holds_inside_the_budget() -> None:
    now = situation(*TEN, measure=count, window=130)
    assert Summarize().decide(now) == Hold("the messages fit: 130 of 130 tokens")


def test_an_earlier_summary_is_folded_in_so_there_is_never_more_than_one() -> None:
    now = situation(noted("[Earlier conversation summary]: x", 10, (90,)), *TEN, window=0)
    view = after(Summarize(), now)
    notes = [unit for unit in view.units if isinstance(unit, Note)]
    assert [note.covers for note in notes] == [(1, 2, 3, 90)]


def test_the_summary_may_take_300_tokens_but_never_more_than_it_replaces() -> None:
    small = Summarize().decide(situation(*TEN, measure=count, window=0))
    large = Summarize().decide(situation(*[said(size=900), replied(size=900)] * 5, window=0))
    budgets = [
        d.fold.budget
        for d in (small, large)
        if isinstance(d, Plan) and isinstance(d.fold, NoteRequest)
    ]
    assert budgets == [35, 300]


def test_summarize_goes_on_to_its_low_water() -> None:
    units = [said(size=900), replied(size=900)] * 5
    view = after(Summarize(max_tokens=8_000, low_water=0.5), situation(*units))
    assert left(view) == [6, 7, 8, 9]


@pytest.mark.parametrize(("budget", "gone"), [(7_800, 6), (7_798, 7)])
def test_what_goes_makes_room_for_the_summary_too(budget: int, gone: int) -> None:
    units = [said(size=900), replied(size=900)] * 5  # 9,000: down to half, and 300 more
    view = after(Summarize(max_tokens=budget, low_water=0.5), situation(*units))
    assert left(view) == list(range(gone, 10))


def test_sliding_window_keeps_the_last_exchanges_whole() -> None:
    now = situation(*ROUND, *ROUND, said(), replied())
    assert left(after(SlidingWindow(turns=2), now)) == [8, 9, 10, 11]
    assert left(after(SlidingWindow(turns=3), now)) == [5, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize("turns", [5, 6, 100])
def test_a_window_as_large_as_the_history_changes_nothing(turns: int) -> None:
    now = situation(*ROUND, *ROUND, said(), replied())
    held = Hold(f"5 exchanges (more than {turns} are too many)")
    assert SlidingWindow(turns=turns).decide(now) == held


def test_sliding_window_keeps_ten_exchanges_unless_told_otherwise() -> None:
    assert isinstance(SlidingWindow().decide(situation(*[said(), replied()] * 10)), Hold)
    assert left(after(SlidingWindow(), situation(*[said(), replied()] * 11))) == list(range(2, 22))


def test_sliding_window_with_low_water_keeps_that_share_of_its_turns() -> None:
    now = situation(*[said(), replied()] * 5)
    assert left(after(SlidingWindow(turns=4, low_water=0.5), now)) == [6, 7, 8, 9]
    assert left(after(SlidingWindow(turns=4, low_water=0.01), now)) == [8, 9]


def test_what_is_gone_already_is_not_dropped_again() -> None:
    now = situation(noted("[octochat left out 2 earlier messages here]"), said(), replied(), said())
    assert isinstance(SlidingWindow(turns=2).decide(now), Hold)
    text = Text("[octochat left out 2 earlier messages here]")
    assert text in now.state.view.units[0].blocks
