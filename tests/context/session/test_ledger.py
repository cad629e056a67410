"""What counts as a call of the model."""

from dataclasses import replace

import pytest

from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Held,
    ModelChanged,
    Recalled,
    Replied,
    Reverted,
    Usage,
)
from octochat.context.session.ledger import RecallSums
from tests.build import Story


def test_what_was_stopped_before_the_api_took_it_was_no_call_and_warms_no_cache() -> None:
    story = Story().say().reply(usage=Usage(cache_write=1_000, output=10))
    before = story.state.ledger
    story.now += 1_000
    story.say().add(0, Replied((), "interrupted", model="m"))
    assert story.state.ledger == before
    assert not story.situation().warm
    assert story.situation().cached == 0


def test_what_was_stopped_after_it_was_a_call() -> None:
    story = Story().say().reply(usage=Usage(cache_write=1_000, output=10))
    story.now += 1_000
    story.say().add(1, Replied((Text("I"),), "interrupted", Usage(cache_write=1_100), "m"))
    assert story.state.ledger.calls == 2
    assert story.situation().warm


@pytest.mark.parametrize(("pause", "cold"), [(290, 0), (291, 1)])
def test_a_call_is_cold_that_comes_once_the_cache_has_died(pause: int, cold: int) -> None:
    story = Story().say().reply()
    assert story.state.ledger.cold_calls == 0
    story.now += pause  # and ten seconds for the reply
    ledger = story.say().reply().state.ledger
    assert ledger.cold_calls == cold
    assert ledger.active_seconds == (0 if cold else 300)


@pytest.mark.parametrize(("pause", "cold"), [(300, 0), (301, 1)])
def test_a_compression_knows_whether_the_next_call_will_be_cold(pause: int, cold: int) -> None:
    story = Story().say(5_000).reply()
    story.now += pause
    story.condensed(Condensed("compact", "so", 6_100, 1_400, Fold(2, 3, (Text("note"),))))
    (made,) = story.state.ledger.compressions
    assert (made.calls, made.cold, made.freed) == (1, cold, 4_700)


def test_what_was_recalled_is_summed() -> None:
    story = Story().say().add(300, Recalled("oak", (1,), passages=2, cost=0.5))
    story.add(20, Recalled("pine", (1,), passages=1))
    assert story.state.ledger.recalls == RecallSums(2, 3, 320, 0.5)


def test_what_is_restored_is_not_in_the_cache_the_beginning_is() -> None:
    story = Story().say(5_000).reply(usage=Usage(cache_write=6_000, output=100))
    fold = Condensed("compact", "so", 6_100, 1_400, Fold(2, 3, (Text("note"),)))
    story.condensed(fold).say().reply(usage=Usage(cache_write=1_500, output=100))
    story.add(0, Reverted(4, None, after=6_300, watermark=6_300)).say()
    assert story.situation().cached == 1_000
    story.reply(usage=Usage(cache_write=6_400, output=100)).say()
    assert story.situation().cached > 6_000


def test_another_model_has_nothing_in_its_cache() -> None:
    story = Story().say().reply(usage=Usage(cache_write=1_000, output=10)).say()
    assert story.situation().cached > 900
    story.add(0, ModelChanged("other"))
    assert story.situation().cached == 0
    story.reply(usage=Usage(cache_write=1_100, output=10)).say()
    assert story.situation().cached > 900


def test_notes_without_a_price_are_counted_and_leave_the_bill_known() -> None:
    story = Story().say(5_000).reply(usage=Usage(cache_write=6_000, output=100))
    fold = Condensed("compact", "so", 6_100, 1_400, Fold(2, 3, (Text("note"),)), writer="x")
    story.condensed(replace(fold, usage=Usage(fresh=9), cost=None))
    story.add(0, Held("pressure", "no", writer="x", usage=Usage(fresh=9), cost=0.5))
    ledger = story.state.ledger
    assert (ledger.summaries_unpriced, ledger.summary_calls, ledger.summary_cost) == (1, 2, 0.5)
    assert ledger.total_cost == ledger.cost + 0.5


@pytest.mark.parametrize(("gap", "active"), [(0.5, 0.5), (300, 300), (300.5, 0), (-5, 0)])
def test_time_between_calls_counts_while_the_cache_lives_and_the_clock_runs_on(
    gap: float, active: float
) -> None:
    story = Story().say().reply()
    story.now += gap - 10  # a reply takes ten seconds
    assert story.say().reply().state.ledger.active_seconds == active
