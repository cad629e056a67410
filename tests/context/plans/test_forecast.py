from dataclasses import replace
from math import isclose

import pytest

from octochat.context.economics.prices import FREE, UNPRICED, Prices, Rates
from octochat.context.plans.forecast import forecast, rewriting, switch
from octochat.context.session.content import Text, Thinking
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Replied, Usage
from octochat.models.catalogue import info
from tests.build import SONNET, Story


def talk() -> Story:
    """40,000 tokens of context, of which the last request sent 39,000; 1,000 were answered."""
    return Story().say(38_000).reply(1_000, Usage(cache_write=39_000, output=1_000))


def test_a_warm_request_reads_what_was_sent_and_writes_the_rest() -> None:
    seen = forecast(talk().situation())
    assert (seen.tokens, seen.cached) == (40_000, 39_000)
    assert isclose(seen.warm or 0, (39_000 * 0.10 + 1_000 * 2.5) / 1e6)
    assert isclose(seen.cold or 0, 40_000 * 2.5 / 1e6)
    assert seen.left == 300


def test_the_seconds_run_down_and_then_all_is_written_again() -> None:
    story = talk()
    assert forecast(story.situation(now=story.now + 290)).left == 10
    cold = forecast(story.situation(now=story.now + 301))
    assert (cold.cached, cold.left) == (0, 0)
    assert cold.warm == cold.cold


def test_a_fold_since_the_last_request_has_broken_the_cache() -> None:
    story = talk()
    fold = Fold(2, 3, (Text("note"),))
    story.condensed(Condensed("pressure", "big", 40_000, 1_400, fold), note=400)
    seen = forecast(story.situation())
    assert seen.cached == 1_000
    assert seen.tokens < 2_000


def test_another_text_for_a_note_breaks_the_cache_from_its_place_on() -> None:
    fold = Condensed("pressure", "big", 40_000, 1_400, Fold(2, 3, (Text("note"),)))
    story = talk().condensed(fold, note=400).say(8_600)
    story.reply(500, Usage(cache_write=10_000, output=500))
    note = story.state.view.units[0].id
    tokens, cost = rewriting(story.situation(), note)
    assert tokens == 9_000  # all that was sent but the head
    assert isclose(cost or 0, 9_000 * (2.5 - 0.10) / 1e6)
    assert rewriting(story.situation(prices=UNPRICED), note) == (9_000, None)
    assert rewriting(story.situation(now=story.now + 301), note) == (0, 0.0)


def test_before_the_first_request_nothing_is_cached() -> None:
    seen = forecast(Story().say(500).situation())
    assert (seen.tokens, seen.cached, seen.left) == (1_500, 0, 0)


def test_what_was_made_anew_and_says_the_same_is_still_in_the_cache() -> None:
    given = talk().situation()
    units = tuple(replace(unit) for unit in given.state.sent.units)
    sent = replace(given.state.sent, units=units)
    assert replace(given, state=replace(given.state, sent=sent)).cached == given.cached == 39_000


def test_a_cache_of_an_hour_is_written_at_its_own_price() -> None:
    story = talk()
    reply = story.entries[-1]
    assert isinstance(reply.event, Replied)
    story.entries[-1] = replace(reply, event=replace(reply.event, ttl=3_600))
    assert isclose(forecast(story.situation()).cold or 0, 40_000 * 4 / 1e6)
    assert forecast(story.situation()).left == 3_600


def test_without_prices_there_is_no_forecast_in_dollars() -> None:
    seen = forecast(talk().situation(prices=UNPRICED))
    assert (seen.warm, seen.cold, seen.free) == (None, None, False)
    assert forecast(talk().situation(prices=Prices.flat(FREE))).free


def test_another_model_writes_the_whole_context_by_its_own_tokens() -> None:
    opus = Prices.flat(Rates(5, 25, 6.25, 10, 0.5))
    step = switch(talk().situation(), "n", opus, window=1_000_000, factor=1.3)
    assert step.tokens == 52_000
    assert isclose(step.cost or 0, 52_000 * 6.25 / 1e6)
    assert step.fits


def test_thinking_of_the_old_model_is_lost_and_that_of_the_new_one_is_not() -> None:
    story = talk()
    for model in ("m", "m", "n"):
        story.say().add(9, Replied((Thinking("hm", "s"), Text("so")), model=model))
    given = story.situation()
    assert switch(given, "n", SONNET, window=1_000_000, factor=1).thoughts == 2
    assert switch(given, "m", SONNET, window=1_000_000, factor=1).thoughts == 1


def test_a_context_over_the_new_window_does_not_fit() -> None:
    given = talk().situation()
    assert not switch(given, "n", SONNET, window=50_000, factor=1).fits
    assert switch(given, "n", SONNET, window=70_000, factor=1).fits


@pytest.mark.parametrize(("margin", "fits"), [(10_000, True), (10_001, False)])
def test_a_switch_leaves_room_for_the_margin_and_the_answer(margin: int, fits: bool) -> None:
    given = talk().situation(margin=margin, reserve=20_000)
    assert switch(given, "n", SONNET, window=70_000, factor=1).fits is fits


def test_a_long_prompt_is_priced_by_its_tier() -> None:
    prices = info("claude-haiku-5-5").prices
    small = Story().say(50_000).situation(prices=prices)
    large = Story().say(150_000).situation(prices=prices)
    assert isclose(forecast(small).cold or 0, 51_000 * 0.125 / 1e6)
    assert isclose(forecast(large).cold or 0, 151_000 * 0.625 / 1e6)
