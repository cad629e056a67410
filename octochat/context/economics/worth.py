"""Is it cheaper to make the context smaller now, or to carry it along?

Pure sums over the calls still expected, with the edit and without ("Cache-Aware Economics"). What a
call costs comes from a tariff: the real one is a model's price list with the cache as it stands,
Octomind's worked examples are another one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from octochat.context.economics.prices import MILLION, Prices
from octochat.context.session.edits import Worth
from octochat.context.session.events import Usage

FEWEST_CALLS = 5
"""A session is always expected to go on for a little ("minimum 5 calls")."""
MOST_CALLS = 100
FIT = 3.0
"""How many times as many calls came after folds in recorded sessions as Octomind's analysis expects
(docs/lab.md#calls-still-expected)."""


class Tariff(Protocol):
    """What things cost, in dollars."""

    def call(self, prompt: int, cached: int) -> float:
        """The input of one call: `prompt` tokens, of which the cache holds the first `cached`."""
        ...


@dataclass(frozen=True, slots=True)
class CacheTariff:
    """The price list, as the cache works: what is not read from it is written to it."""

    prices: Prices
    ttl: int
    """Seconds that cache entries live: which of the two write prices holds."""

    def call(self, prompt: int, cached: int) -> float:
        """Dollars, at the tier that the length of the prompt leads to."""
        rates = self.prices.at(prompt)
        if rates is None:
            return 0.0
        known = min(cached, prompt)
        return (known * rates.cache_read + (prompt - known) * rates.write(self.ttl)) / MILLION


def worth(
    tariff: Tariff,
    *,
    before: int,
    after: int,
    cached: tuple[int, int],
    calls: int,
    growth: int,
    summary: float = 0.0,
) -> Worth:
    """What the next `calls` calls cost without the edit and with it.

    Args:
        tariff: what things cost.
        before: context size as it is, in tokens.
        after: context size after the edit.
        cached: tokens of the prefix that the cache holds, as it is and after the edit.
        calls: how many calls are still expected.
        growth: tokens that each call adds.
        summary: dollars of the call that writes the summary; the cache is rewritten by the first
            call after it.
    """
    return Worth(
        without=_run(tariff, before, cached[0], calls, growth),
        with_edit=summary + _run(tariff, after, cached[1], calls, growth),
        summary=summary,
        calls=calls,
    )


def _run(tariff: Tariff, size: int, cached: int, calls: int, growth: int) -> float:
    """The first call reads what the cache holds; each later one, all that was sent before it."""
    total = 0.0
    for _ in range(calls):
        total += tariff.call(size, cached)
        cached = size
        size += growth
    return total


_LIFE, _LIFE_OF_OLD = ((10, 0.8), (30, 0.6)), 0.4
"""Below so many active minutes this share of the calls so far is still to come; else the last."""
_DECAY, _DECAY_OF_SLOW = ((2, 0.6), (1, 0.75)), 0.85
"""Above so many calls a minute this share of them is kept up; else the last."""


def expected_calls(calls: int, active_minutes: float, fit: float = 1.0) -> float:
    """How many calls are still to come: "velocity-based analysis".

    v = calls a minute so far; sessions live on for a share of their age that shrinks with it, and
    slow down the more, the faster they were: docs/compression.md#calls-still-expected.
    """
    velocity = calls / active_minutes if active_minutes else float("inf")
    life = next((share for limit, share in _LIFE if active_minutes < limit), _LIFE_OF_OLD)
    decay = next((share for limit, share in _DECAY if velocity > limit), _DECAY_OF_SLOW)
    most = max(FEWEST_CALLS, min(2 * calls, MOST_CALLS))
    return max(FEWEST_CALLS, min(calls * life * decay * fit, most))


def calls_to_come(calls: int, active_minutes: float) -> int:
    """The same as it is reckoned with: fitted to recorded sessions, and rounded down."""
    return int(expected_calls(calls, active_minutes, FIT))


@dataclass(frozen=True, slots=True)
class Writer:
    """A model that could write the summary, and what it would have to read."""

    model: str
    prices: Prices
    shares_cache: bool
    """It is the conversation's own: it reads the warm cache, with one instruction appended."""
    scale: float = 1.0
    """Its tokens for one of the conversation's model."""


INSTRUCTION = 1_000
"""Tokens of the instruction that asks for a summary."""


def summary_usage(
    writer: Writer, *, context: int, cached: int, transcript: int, note: int
) -> Usage:
    """What the summary call takes, as it would really run.

    The conversation's own model reads the whole context, `cached` tokens of it from the cache, and
    another one the range as a transcript, all of it uncached. Both write a note. The sizes given
    are in tokens of the conversation's model, those that come in the writer's.
    """
    prompt = INSTRUCTION + (context if writer.shares_cache else transcript)
    read = cached if writer.shares_cache else 0
    fresh = round((prompt - read) * writer.scale)
    return Usage(fresh=fresh, cache_read=read, output=round(note * writer.scale))


def summary_cost(writer: Writer, *, context: int, cached: int, transcript: int, note: int) -> float:
    """Dollars of the summary call; 0 where nothing is known of its price."""
    usage = summary_usage(writer, context=context, cached=cached, transcript=transcript, note=note)
    return writer.prices.cost(usage) or 0.0


def cheapest(
    writers: Iterable[Writer], *, context: int, cached: int, transcript: int, note: int
) -> tuple[Writer, float] | None:
    """The writer that costs least, and its dollars (`auto` "takes the cheaper"); None: nobody."""
    costs = [
        (w, summary_cost(w, context=context, cached=cached, transcript=transcript, note=note))
        for w in writers
    ]
    return min(costs, key=lambda row: row[1], default=None)
