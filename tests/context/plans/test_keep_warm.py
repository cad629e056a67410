"""When a call is due that keeps the cache warm: docs/compression.md#after-a-pause."""

from math import isclose

import pytest

from octochat.context.economics.prices import FREE, Prices, Rates
from octochat.context.plans.keep_warm import next_beat
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, KeptWarm, Replied, Usage
from tests.build import Story

COST = (39_000 * 0.10 + 10) / 1e6
"""Dollars of one: it reads what the cache holds, and one token is answered."""


def talk(ttl: int = 300) -> Story:
    """40,000 tokens of context, of which the cache holds 39,000."""
    story = Story().say(38_000)
    usage = Usage(cache_write=39_000, output=1_000)
    return story.add(1_000, Replied((Text("so"),), usage=usage, model="m", ttl=ttl))


def kept(story: Story, cost: float = COST, read: int = 39_000) -> Story:
    story.now += 270
    return story.add(0, KeptWarm("m", Usage(cache_read=read, cache_write=39_000 - read), cost))


@pytest.mark.parametrize(("ttl", "due"), [(300, 270), (100, 90), (3_600, 3_570)])
def test_it_is_due_a_tenth_before_the_cache_dies_and_at_most_half_a_minute(
    ttl: int, due: int
) -> None:
    beat = next_beat(talk(ttl).situation(), minutes=60)
    assert beat is not None
    assert beat.at == due
    assert isclose(beat.cost, COST)


def test_each_reckons_from_the_one_before() -> None:
    beat = next_beat(kept(talk()).situation(), minutes=60)
    assert beat is not None
    assert beat.at == 540


@pytest.mark.parametrize(("minutes", "made"), [(4, False), (5, True)])
def test_none_is_made_when_nobody_is_expected_back(minutes: int, made: bool) -> None:
    assert (next_beat(talk().situation(), minutes) is not None) is made


@pytest.mark.parametrize(("ttl", "made"), [(3_630, True), (3_631, False)])
def test_the_last_second_of_the_wait_counts(ttl: int, made: bool) -> None:
    assert (next_beat(talk(ttl).situation(), minutes=60) is not None) is made


def test_what_costs_as_much_as_writing_it_anew_does_not_pay() -> None:
    prices = Prices.flat(Rates(2, 0, 2, 4, 0))
    anew = 40_000 * 2 / 1e6 - 1_000 * 2 / 1e6
    assert next_beat(kept(talk(), cost=anew - 0.001).situation(prices=prices), minutes=60)
    assert next_beat(kept(talk(), cost=anew).situation(prices=prices), minutes=60) is None
    assert next_beat(talk().situation(prices=Prices.flat(FREE)), minutes=60) is None


def test_there_is_nothing_to_keep_warm_where_the_cache_does_not_hold_what_is_sent_next() -> None:
    assert next_beat(talk().situation(now=301), minutes=60) is None  # it has gone cold
    uncached = Story().say(38_000).reply(1_000, Usage(fresh=39_000, output=1_000))
    assert next_beat(uncached.situation(), minutes=60) is None
    fold = Fold(3, 3, (Text("note"),))
    edited = talk().condensed(Condensed("x", "so", 40_000, 39_400, fold))
    assert next_beat(edited.situation(), minutes=60) is not None  # it was not sent yet
    fold = Fold(2, 3, (Text("note"),))
    edited = talk().condensed(Condensed("x", "so", 40_000, 1_400, fold))
    assert edited.situation().cached
    assert next_beat(edited.situation(), minutes=60) is None


@pytest.mark.parametrize(("spent", "made"), [(0.088, True), (0.090, False)])
def test_it_pays_while_all_of_them_cost_less_than_writing_it_anew(spent: float, made: bool) -> None:
    now = kept(talk(), cost=spent).situation()  # 39,000 tokens written, not read: $0.0936
    assert (next_beat(now, minutes=60) is not None) is made


def test_where_the_cache_was_gone_it_is_not_tried_again() -> None:
    assert next_beat(kept(talk(), read=0).situation(), minutes=60) is None
