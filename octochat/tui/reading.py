"""The gauge's figures, read from a session. It knows no widgets."""

from collections.abc import Sequence

from octochat.context.ledger import Ledger
from octochat.context.report import parts
from octochat.context.strategies import Situation, Strategy
from octochat.context.strategies.pressure import Pressure, scaled
from octochat.session import Session
from octochat.tui.gauge import Gauge, Share

MILLION = 1_000_000


def gauge_of(session: Session) -> Gauge:
    """The session as the status line shows it now."""
    return gauge_in(session.situation, session.condenser.rules.strategies)


def gauge_in(situation: Situation, strategies: Sequence[Strategy]) -> Gauge:
    """The figures of a situation; the levels are those of the pressure strategy, if it is used."""
    state, ledger = situation.state, situation.state.ledger
    pressure = [strategy for strategy in strategies if isinstance(strategy, Pressure)]
    levels = scaled(pressure[0].pressure_levels, situation.window) if pressure else ()
    priced = ledger.calls == 0 or ledger.unpriced < ledger.calls
    return Gauge(
        model=state.model,
        size=situation.size,
        limit=situation.limit,
        parts=tuple(Share(part.name, part.tokens) for part in parts(state.view, situation.size)),
        levels=tuple(level.threshold for level in levels),
        cost=ledger.cost + ledger.summary_cost if priced else None,
        next_warm=_reading(situation, situation.cached),
        next_cold=_reading(situation, 0),
        warm_until=_warm_until(ledger),
    )


def _warm_until(ledger: Ledger) -> float | None:
    """When the cache expires, in seconds since the epoch; None where none was ever used."""
    used = ledger.usage.prompt - ledger.usage.fresh
    return ledger.last_call + ledger.ttl if used and ledger.last_call is not None else None


def _reading(situation: Situation, cached: int) -> float | None:
    """Dollars for sending the context with so many tokens of it in the cache; None: unpriced."""
    rates = situation.prices.at(situation.size)
    if rates is None or situation.prices.free:
        return None
    known = min(cached, situation.size)
    write = rates.write(situation.state.ledger.ttl)
    return (known * rates.cache_read + (situation.size - known) * write) / MILLION
