"""Ready-made plans: what goes with the units that a strategy names, and what stays."""

from octochat.context.plans.folding import summarised
from octochat.context.session.edits import Hold, NoteRequest, Plan
from tests.context.strategies.stage import noted, replied, said, situation

UNITS = (
    noted(size=400, covers=(80,)),
    said(size=1_000),
    replied(size=1_000),
    said(size=1_000),
    replied(size=1_000),
)


def brief(*gone: int, pins: tuple[int, ...] = ()) -> NoteRequest:
    now = situation(*UNITS, pins=pins)
    plan = summarised(now, tuple(now.state.view.units[i] for i in gone), 10_000, "so")
    assert isinstance(plan, Plan)
    assert isinstance(plan.fold, NoteRequest)
    return plan.fold


def test_earlier_summaries_go_with_it_and_nothing_else() -> None:
    assert brief(1, 2) == NoteRequest(0, 2, 2_400 * 9 // 10, style="paragraph")
    assert brief(2) == NoteRequest(0, 2, 1_400 * 9 // 10, keep=(1,), style="paragraph")


def test_a_summary_that_is_pinned_stays() -> None:
    assert brief(1, 2, pins=(0,)) == NoteRequest(1, 2, 2_000 * 9 // 10, style="paragraph")


def test_a_summary_alone_is_not_summed_up_again() -> None:
    now = situation(*UNITS)
    assert isinstance(summarised(now, now.state.view.units[:1], 500, "so"), Hold)
