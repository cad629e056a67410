"""What folds are expected to save, and what they have saved by the calls that came."""

from dataclasses import replace
from math import isclose

import pytest

from octochat.context.economics.prices import UNPRICED
from octochat.context.economics.worth import CacheTariff, calls_to_come, expected_calls
from octochat.context.plans.expected import as_measured
from octochat.context.plans.report import info, settled
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold, ResultTrim
from octochat.context.session.events import Condensed, Usage
from tests.build import SONNET, Story, exchanges

READ, WRITE = 0.10 / 1e6, 2.5 / 1e6


def folded() -> tuple[Story, Condensed]:
    """A warm session of 41,000 tokens of which 30,000 are folded into a note of 1,000."""
    story = exchanges(9, 4_000).say(2_000).reply(2_000, Usage(cache_write=39_000, output=2_000))
    units = [unit.id for unit in story.state.view.units]
    fold = Fold(units[0], units[14], (Text("note"),))
    event = Condensed("x", "so", 41_000, 12_000, fold, writer="m", cost=0.01)
    return story, as_measured(event, story.situation(prices=SONNET))


@pytest.mark.parametrize(
    ("calls", "minutes", "to_come"), [(2, 1, 5), (20, 5, 28), (60, 60, 61), (200, 60, 100)]
)
def test_more_calls_are_expected_than_octominds_analysis_says(
    calls: int, minutes: float, to_come: int
) -> None:
    assert calls_to_come(calls, minutes) == to_come
    assert to_come >= int(expected_calls(calls, minutes))


def test_a_fold_whose_strategy_did_not_say_is_weighed_as_it_was_measured() -> None:
    story, event = folded()
    worth = event.worth
    assert worth
    assert worth.summary == 0.01
    tariff, growth = CacheTariff(SONNET, 300), story.state.ledger.growth
    without = sum(
        tariff.call(41_000 + n * growth, 41_000 + (n - 1) * growth) for n in range(1, worth.calls)
    )
    cached = story.situation(prices=SONNET).cached
    assert isclose(worth.without, without + tariff.call(41_000, cached))
    unweighed = replace(event, worth=None)
    assert as_measured(unweighed, story.situation(prices=UNPRICED)).worth is None
    trims = replace(unweighed, fold=None, trims=(ResultTrim("a", "b"),))
    assert as_measured(trims, story.situation(prices=SONNET)).worth is None


@pytest.mark.parametrize("bill", [{"ignored": True}, {"cost": None}])
def test_a_note_that_is_not_paid_for_is_weighed_as_free(bill: dict[str, object]) -> None:
    story, event = folded()
    unpaid = replace(event, worth=None, **bill)  # pyright: ignore[reportArgumentType]
    worth = as_measured(unpaid, story.situation(prices=SONNET)).worth
    assert worth
    assert worth.summary == 0


def test_the_pace_so_far_says_how_many_calls_are_still_to_come() -> None:
    story, event = folded()
    for _ in range(51):
        story.say(10).reply(10, Usage(cache_read=41_000, output=10))
    worth = as_measured(replace(event, worth=None), story.situation(prices=SONNET)).worth
    assert worth
    assert worth.calls == calls_to_come(61, active_minutes=10)


def test_what_stands_before_the_fold_stays_in_the_cache() -> None:
    story, event = folded()
    assert event.fold
    units = [unit.id for unit in story.state.view.units]
    later = replace(event, worth=None, fold=replace(event.fold, first=units[10]))
    value = as_measured(later, story.situation(prices=SONNET)).worth
    assert value
    assert event.worth
    assert value.with_edit < event.worth.with_edit


def test_it_is_settled_by_the_calls_that_came() -> None:
    story, event = folded()
    story.condensed(event, note=1_000)
    (made,) = story.state.ledger.compressions
    assert event.worth
    assert settled(made, story.state.ledger, SONNET) == -0.01
    for _ in range(event.worth.calls):
        story.say(10).reply(10, Usage(cache_read=12_000, output=10))
    assert isclose(settled(made, story.state.ledger, SONNET), event.worth.net)
    story.say(10).reply(10, Usage(cache_read=12_000, output=10))
    more = settled(made, story.state.ledger, SONNET) - event.worth.net
    assert isclose(more, 29_000 * READ)


def test_a_call_with_a_cold_cache_saved_what_was_not_written_again() -> None:
    warm, event = folded()
    cold, _ = folded()
    for story in (warm, cold):
        story.condensed(event, note=1_000)
        story.say(10).reply(10, Usage(cache_read=12_000, output=10))
    cold.now += 1_000
    for story in (warm, cold):
        story.say(10).reply(10, Usage(cache_read=12_000, output=10))
    saved = [
        settled(story.state.ledger.compressions[0], story.state.ledger, SONNET)
        for story in (warm, cold)
    ]
    assert isclose(saved[1] - saved[0], 29_000 * (WRITE - READ))


def test_the_first_call_after_a_pause_was_expected_to_be_cold() -> None:
    story, event = folded()
    story.now += 1_000
    story.condensed(event, note=1_000)
    story.say(10).reply(10, Usage(cache_write=12_000, output=10))
    (made,) = story.state.ledger.compressions
    assert event.worth
    missing = (event.worth.calls - 1) * 29_000 * READ
    assert isclose(settled(made, story.state.ledger, SONNET), event.worth.net - missing)


def test_a_pause_after_it_does_not_change_what_the_first_call_was_expected_to_save() -> None:
    story, event = folded()
    story.condensed(event, note=1_000)
    story.now += 1_000
    story.say(10).reply(10, Usage(cache_write=12_000, output=10))
    (made,) = story.state.ledger.compressions
    assert event.worth
    missing = (event.worth.calls - 1) * 29_000 * READ
    assert isclose(settled(made, story.state.ledger, SONNET), event.worth.net - missing)


def test_info_has_both_sums() -> None:
    story, event = folded()
    story.condensed(event, note=1_000).say(10).reply(10, Usage(cache_read=12_000, output=10))
    shown = info(story.situation(prices=SONNET), ()).compressions
    assert event.worth
    assert (shown.calls_expected, shown.calls_came) == (event.worth.calls, 1)
    assert shown.cost_saved == event.worth.net
    assert shown.cost_saved_so_far < shown.cost_saved
