"""Every strategy by its name in the configuration."""

from octochat.context.strategies.base import Situation, Strategy
from octochat.context.strategies.fifo import Fifo

STRATEGIES: dict[str, type[Strategy]] = {strategy.name: strategy for strategy in (Fifo,)}

__all__ = ["STRATEGIES", "Fifo", "Situation", "Strategy"]
