"""Every strategy by its name in the configuration."""

from octochat.context.strategies.base import Situation, Strategy
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.pressure import Pressure, PressureLevel
from octochat.context.strategies.ttl_prune import TtlPrune

STRATEGIES: dict[str, type[Strategy]] = {
    strategy.name: strategy for strategy in (Fifo, TtlPrune, Pressure)
}

__all__ = ["STRATEGIES", "Fifo", "Pressure", "PressureLevel", "Situation", "Strategy", "TtlPrune"]
