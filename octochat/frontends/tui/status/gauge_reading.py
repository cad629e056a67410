"""The gauge's figures, read from a session. It knows no widgets."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from octochat.context.plans.context_parts import parts
from octochat.context.plans.forecast import Forecast, forecast
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy, levels_of
from octochat.frontends.tui.status.gauge import Gauge, Share
from octochat.project.branch import branch_of
from octochat.session.sandboxing import short
from octochat.session.session import Session


def gauge_of(session: Session) -> Gauge:
    """The session as the status line shows it now."""
    coming = session.next_warmth
    state, dials = session.engine.state, session.dials
    return replace(
        gauge_in(session.situation, session.compressor.rules.strategies),
        warmth=coming.cost if coming else None,
        effort=dials.effective(state) or ("auto" if session.known(state.model).efforts else ""),
        mode=dials.mode,
        sandbox=short(session.sandbox),
        branch=branch_of(Path(state.folder)) if state.folder else "",
    )


def gauge_in(situation: Situation, strategies: Sequence[Strategy]) -> Gauge:
    """The figures of a situation; the levels are those of a strategy that has some."""
    state, ledger = situation.state, situation.state.ledger
    coming = forecast(situation)
    levels = levels_of(strategies, situation.window)
    priced = ledger.calls == 0 or ledger.unpriced < ledger.calls
    return Gauge(
        model=state.model,
        size=situation.size,
        limit=situation.limit,
        parts=tuple(Share(part.name, part.tokens) for part in parts(state.view, situation.size)),
        levels=tuple(level.threshold for level in levels),
        cost=ledger.cost + ledger.summary_cost + ledger.warmth.cost if priced else None,
        next_warm=None if coming.free else coming.warm,
        next_cold=None if coming.free else coming.cold,
        warm_until=_warm_until(situation, coming),
    )


def _warm_until(situation: Situation, coming: Forecast) -> float | None:
    """When the cache expires, in seconds since the epoch.

    None where none was ever used, and for a free model: there the cache saves nothing.
    """
    used = situation.state.ledger.usage
    if coming.free or used.prompt == used.fresh:
        return None
    return situation.now + coming.left
