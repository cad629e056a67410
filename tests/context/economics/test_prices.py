"""A price list, and the bill of one request."""

import pytest

from octochat.context.economics.prices import FREE, UNPRICED, Prices, Rates, Tier
from octochat.context.economics.worth import CacheTariff, Writer, cheapest, expected_calls
from octochat.context.session.events import Usage

SMALL, LARGE = Rates(1, 2, 4, 8, 16), Rates(2, 4, 8, 16, 32)
TIERED = Prices((Tier(SMALL, 100), Tier(LARGE)))


def test_every_kind_of_token_has_its_price() -> None:
    usage = Usage(
        fresh=10**6, output=2 * 10**6, cache_write=10**6, cache_write_1h=10**6, cache_read=10**6
    )
    assert SMALL.cost(usage) == 1 + 2 * 2 + 4 + 8 + 16
    assert Prices.flat(SMALL).cost(usage) == SMALL.cost(usage)


def test_the_length_of_the_prompt_leads_to_its_tier() -> None:
    assert [TIERED.at(prompt) for prompt in (0, 100, 101)] == [SMALL, SMALL, LARGE]
    assert Prices((Tier(SMALL, 100),)).at(101) == SMALL
    assert (UNPRICED.at(1), UNPRICED.cost(Usage(fresh=1))) == (None, None)
    assert CacheTariff(UNPRICED, 300).call(9, 0) == 0


def test_a_model_is_free_where_every_tier_is() -> None:
    assert Prices.flat(FREE).free
    assert not Prices((Tier(FREE, 100), Tier(SMALL))).free
    assert not UNPRICED.free


def test_a_cache_of_more_than_five_minutes_has_the_price_of_an_hour() -> None:
    assert [SMALL.write(ttl) for ttl in (300, 301)] == [4, 8]


def test_what_the_cache_holds_beyond_the_prompt_is_not_read() -> None:
    tariff = CacheTariff(Prices.flat(SMALL), 300)
    assert tariff.call(10**6, 10**6) == tariff.call(10**6, 2 * 10**6) == 16
    assert tariff.call(2 * 10**6, 10**6) == 16 + 4


def test_the_cheapest_writer_is_taken_and_of_equals_the_first() -> None:
    one, two, dear = (
        Writer(name, Prices.flat(rates), shares_cache=False)
        for name, rates in (("one", SMALL), ("two", SMALL), ("dear", LARGE))
    )
    sizes = {"context": 9_000, "cached": 0, "transcript": 10**6 - 1_000, "note": 10**6}
    assert cheapest((dear, one, two), **sizes) == (one, 1 + 2)
    assert cheapest((), **sizes) is None
    assert cheapest((dear, Writer("?", UNPRICED, False)), **sizes) == (
        Writer("?", UNPRICED, False),
        0,
    )


@pytest.mark.parametrize(
    ("calls", "minutes", "fit", "expected"),
    [
        (20, 9.9, 1, 20 * 0.8 * 0.6),
        (20, 10, 1, 20 * 0.6 * 0.75),
        (30, 30, 1, 30 * 0.4 * 0.85),
        (30, 29.9, 1, 30 * 0.6 * 0.75),
        (400, 120, 3, 100),
        (10, 1, 9, 20),
        (2, 1, 99, 5),
        (100, 0, 1, 100 * 0.8 * 0.6),
        (100, 0.5, 1, 100 * 0.8 * 0.6),
    ],
)
def test_calls_to_come_at_the_edges_of_the_estimate(
    calls: int, minutes: float, fit: float, expected: float
) -> None:
    assert abs(expected_calls(calls, minutes, fit) - expected) < 1e-9
