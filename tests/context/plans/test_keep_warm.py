"""When a call is due that keeps the cache warm: docs/compression.md#after-a-pause."""

from math import isclose

import pytest

from octochat.context.plans.keep_warm import next_beat
from octochat.context.session.content import Text
from octochat.context.session.events import KeptWarm, Replied, Usage
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


@pytest.mark.parametrize(("spent", "made"), [(0.088, True), (0.090, False)])
def test_it_pays_while_all_of_them_cost_less_than_writing_it_anew(spent: float, made: bool) -> None:
    now = kept(talk(), cost=spent).situation()  # 39,000 tokens written, not read: $0.0936
    assert (next_beat(now, minutes=60) is not None) is made


def test_where_the_cache_was_gone_it_is_not_tried_again() -> None:
    assert next_beat(kept(talk(), read=0).situation(), minutes=60) is None
