"""The economics: Octomind's worked examples, the estimate of calls, and the real price list."""

from dataclasses import dataclass
from math import isclose

import pytest

from octochat.context.economics.prices import Prices, Rates
from octochat.context.economics.worth import (
    INSTRUCTION,
    CacheTariff,
    Writer,
    expected_calls,
    summary_cost,
    summary_usage,
    worth,
)
from octochat.context.session.events import Usage

SONNET = Prices.flat(Rates(2, 10, 2.5, 4, 0.10))


@dataclass(frozen=True)
class SeedTariff:
    """ "cache invalidation + 5 * 24k * $0.003": reads at $3, invalidation at $2.50 a million."""

    def call(self, prompt: int, cached: int) -> float:
        return prompt * 3e-6


@pytest.mark.parametrize(
    ("before", "ratio", "calls", "net"), [(95_000, 4, 5, 0.831), (55_000, 2, 1, -0.055)]
)
def test_the_seeds_worked_examples_come_out_of_the_same_function(
    before: int, ratio: int, calls: int, net: float
) -> None:
    value = worth(
        SeedTariff(),
        before=before,
        after=before // ratio,
        cached=(0, 0),
        calls=calls,
        growth=0,
        summary=before * 2.5e-6,
    )
    assert isclose(value.net, net, abs_tol=0.0005)


@pytest.mark.parametrize(
    ("calls", "minutes", "expected"),
    [(5, 5, 5), (20, 5, 9.6), (20, 25, 10.2), (60, 60, 20.4), (200, 60, 48), (400, 120, 96)],
)
def test_the_estimate_of_future_calls_follows_the_vectors(
    calls: int, minutes: float, expected: float
) -> None:
    assert isclose(expected_calls(calls, minutes), expected)


@pytest.mark.parametrize(
    ("calls", "minutes", "expected"),
    [
        (10, 10, 10 * 0.6 * 0.85),  # at 10 minutes the second share of the life, at 1 a minute slow
        (20, 10, 20 * 0.6 * 0.75),  # 2 a minute is not above 2
        (30, 30, 30 * 0.4 * 0.85),  # at 30 minutes the last
        (60, 30, 60 * 0.4 * 0.75),
    ],
)
def test_at_each_border_of_the_estimate_the_next_share_holds(
    calls: int, minutes: float, expected: float
) -> None:
    assert isclose(expected_calls(calls, minutes), expected)


def test_the_summary_call_is_counted_in_the_tokens_of_the_one_who_writes_it() -> None:
    sizes = {"context": 50_000, "cached": 40_000, "transcript": 20_000 - INSTRUCTION, "note": 1_000}
    other = Writer("other", SONNET, shares_cache=False, scale=0.5)
    assert summary_usage(other, **sizes) == Usage(fresh=10_000, output=500)
    assert isclose(summary_cost(other, **sizes), (10_000 * 2 + 500 * 10) / 1e6)
    own = Writer("own", SONNET, shares_cache=True)
    assert summary_usage(own, **sizes) == Usage(
        fresh=10_000 + INSTRUCTION, cache_read=40_000, output=1_000
    )


def test_a_session_without_a_past_is_expected_to_make_five_calls() -> None:
    assert expected_calls(0, 0) == 5


def test_a_warm_cache_makes_holding_cheap_and_a_cold_one_makes_it_dear() -> None:
    warm = worth(
        CacheTariff(SONNET, 300),
        before=80_000,
        after=40_000,
        cached=(80_000, 5_000),
        calls=5,
        growth=500,
    )
    cold = worth(
        CacheTariff(SONNET, 300), before=80_000, after=40_000, cached=(0, 0), calls=5, growth=500
    )
    assert warm.net < 0 < cold.net


def test_the_summary_is_paid_for_on_the_side_of_the_edit() -> None:
    free = worth(
        CacheTariff(SONNET, 300), before=9_000, after=500, cached=(0, 0), calls=5, growth=0
    )
    paid = worth(
        CacheTariff(SONNET, 300),
        before=9_000,
        after=500,
        cached=(0, 0),
        calls=5,
        growth=0,
        summary=0.25,
    )
    assert isclose(free.net - paid.net, 0.25)
    assert paid.summary == 0.25


def test_an_hour_of_cache_is_priced_as_such() -> None:
    short = CacheTariff(SONNET, 300).call(1_000_000, 0)
    long = CacheTariff(SONNET, 3_600).call(1_000_000, 0)
    assert (short, long) == (2.5, 4.0)
