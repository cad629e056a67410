"""The gauge's figures, read from a session. It knows no widgets."""

from octochat.context.report import parts
from octochat.context.strategies import Situation
from octochat.context.strategies.pressure import Pressure, scaled
from octochat.session import Session
from octochat.tui.gauge import Gauge, Share

MILLION = 1_000_000


def gauge_of(session: Session) -> Gauge:
    """The session as the status line shows it now."""
    situation = session.situation
    state, ledger = situation.state, situation.state.ledger
    pressure = [s for s in session.condenser.rules.strategies if isinstance(s, Pressure)]
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
        warm_until=None if ledger.last_call is None else ledger.last_call + ledger.ttl,
    )


def _reading(situation: Situation, cached: int) -> float | None:
    """Dollars for sending the context with so many tokens of it in the cache; None: unpriced."""
    rates = situation.prices.at(situation.size)
    if rates is None or situation.prices.free:
        return None
    known = min(cached, situation.size)
    write = rates.write(situation.state.ledger.ttl)
    return (known * rates.cache_read + (situation.size - known) * write) / MILLION
