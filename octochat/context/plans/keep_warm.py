"""When a call is due that keeps the prompt cache warm, and what it costs. Pure.

The rules are those of docs/compression.md#after-a-pause.
"""

from dataclasses import dataclass

from octochat.context.economics.prices import MILLION
from octochat.context.economics.worth import CacheTariff
from octochat.context.plans.situation import Situation

LEAD = 0.1
"""How long before the cache dies the call is made, as a share of the cache's life."""
LONGEST_LEAD = 30.0
"""The same in seconds, at most."""
MINUTE = 60


@dataclass(frozen=True, slots=True)
class Beat:
    """The next call that keeps the cache warm."""

    at: float
    """When it is due, in seconds since the epoch."""
    cost: float
    """Dollars."""


def next_beat(situation: Situation, minutes: int) -> Beat | None:
    """The next call, or None where none is to be made.

    It pays as long as all of them since the conversation's last call cost less than writing the
    context to the cache anew.

    Args:
        situation: the session; its turn is over.
        minutes: for how long after the conversation's last call the person is expected back.
    """
    state, ledger = situation.state, situation.state.ledger
    rates, size = situation.prices.at(situation.cached), situation.cached
    used = ledger.last_use
    if used is None or ledger.last_call is None or rates is None or ledger.warmth.missed:
        return None
    if not size or not ledger.usage.caches or not state.view.begins_with(state.sent):
        return None
    at = used + ledger.ttl - min(LEAD * ledger.ttl, LONGEST_LEAD)
    tariff = CacheTariff(situation.prices, ledger.ttl)
    cost = tariff.call(size, size) + rates.output / MILLION
    if at > ledger.last_call + minutes * MINUTE:
        return None
    saved = tariff.call(state.context, 0) - tariff.call(state.context, size)
    return Beat(at, cost) if ledger.warmth.cost_since + cost < saved else None
