"""What the next request would cost, and what going over to another model would.

Pure: from a situation to dollars. Only the input is known beforehand; what the answer takes comes
on top. A floor, not a bill: what is yet to be typed is not counted.
"""

from dataclasses import dataclass, replace

from octochat.context.economics.prices import Prices
from octochat.context.economics.worth import CacheTariff
from octochat.context.plans.situation import Situation
from octochat.context.session.content import Thinking
from octochat.context.session.edits import UnitId
from octochat.context.session.state import State
from octochat.context.session.view import Step


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next request's input."""

    tokens: int
    """How long its prompt would be."""
    cached: int
    """How much of it the prompt cache holds now, in tokens."""
    warm: float | None
    """Dollars if it is sent now; None for a model without known prices."""
    cold: float | None
    """Dollars once the cache has gone cold."""
    left: float
    """Seconds until then; 0 where it is cold already."""

    @property
    def free(self) -> bool:
        """Whether it is known to cost nothing."""
        return self.cold == 0


def forecast(situation: Situation) -> Forecast:
    """What the session's own model would cost now, and what it costs after a pause.

    "Exact prefix match": an edit since the last request has broken the cache from its place on.
    """
    ledger, size = situation.state.ledger, situation.state.context
    cached, used = min(situation.cached, size), ledger.last_use
    return Forecast(
        tokens=size,
        cached=cached,
        warm=_input(situation.prices, size, cached, ledger.ttl),
        cold=_input(situation.prices, size, 0, ledger.ttl),
        left=used + ledger.ttl - situation.now if cached and used is not None else 0.0,
    )


def rewriting(situation: Situation, note: UnitId) -> tuple[int, float | None]:
    """What another text for a note breaks of the cache, in tokens, and what that costs.

    The dollars are those that the next request costs more; None for a model without known prices.
    """
    view, size = situation.state.view, situation.state.context
    before = view.head
    for unit in view.units:
        if unit.id == note:
            break
        before += unit.size
    cached = min(situation.cached, size)
    kept = min(int(before * size / view.size), cached) if cached else 0
    if not situation.prices.known:
        return cached - kept, None
    tariff = CacheTariff(situation.prices, situation.state.ledger.ttl)
    return cached - kept, tariff.call(size, kept) - tariff.call(size, cached)


@dataclass(frozen=True, slots=True)
class Switch:
    """What going on with another model means."""

    tokens: int
    """The context by that model's tokenizer."""
    cost: float | None
    """Dollars to write all of it to that model's cache; None without known prices."""
    thoughts: int
    """Replies whose thinking the new model will not see ("Switching models drops blocks")."""
    fits: bool
    """Whether the context goes into the new model's window; if not, it is compressed first."""


def switch(
    situation: Situation, model: str, prices: Prices, *, window: int, factor: float
) -> Switch:
    """What it would take to go on with `model`.

    Args:
        situation: the session as it stands.
        model: the other model.
        prices: its price list.
        window: its window, in tokens.
        factor: its tokens for the same text, compared with those of the session's model.
    """
    size = round(situation.state.context * factor)
    return Switch(
        tokens=size,
        cost=_input(prices, size, 0, situation.state.ledger.ttl),
        thoughts=unseen_thinking(situation.state, model),
        fits=size + situation.margin <= replace(situation, window=window).limit,
    )


def unseen_thinking(state: State, model: str) -> int:
    """Replies whose thinking `model` is not sent: another one wrote them."""
    return sum(
        isinstance(unit, Step)
        and unit.model != model
        and any(isinstance(block, Thinking) for block in unit.blocks)
        for unit in state.view.units
    )


def _input(prices: Prices, size: int, cached: int, ttl: int) -> float | None:
    return CacheTariff(prices, ttl).call(size, cached) if prices.known else None
