"""Every strategy by its name in the configuration."""

from octochat.context.strategies.base import Situation, Strategy, considered
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.groups import GroupHybrid, GroupSummarize, GroupTruncate
from octochat.context.strategies.pressure import Pressure, PressureLevel
from octochat.context.strategies.priority import Priority
from octochat.context.strategies.server_compact import ServerCompact
from octochat.context.strategies.sliding_window import SlidingWindow
from octochat.context.strategies.summarize import Summarize
from octochat.context.strategies.token_window import (
    SlidingWindowTokens,
    SlidingWindowWithSummary,
)
from octochat.context.strategies.tool_cleanup import ToolCleanup
from octochat.context.strategies.ttl_prune import TtlPrune

ALL: tuple[type[Strategy], ...] = (
    Fifo,
    Summarize,
    SlidingWindow,
    TtlPrune,
    SlidingWindowTokens,
    SlidingWindowWithSummary,
    Priority,
    GroupSummarize,
    GroupTruncate,
    GroupHybrid,
    ToolCleanup,
    ServerCompact,
    Pressure,
)
STRATEGIES: dict[str, type[Strategy]] = {strategy.name: strategy for strategy in ALL}

__all__ = [
    "STRATEGIES",
    "Fifo",
    "GroupHybrid",
    "GroupSummarize",
    "GroupTruncate",
    "Pressure",
    "PressureLevel",
    "Priority",
    "ServerCompact",
    "Situation",
    "SlidingWindow",
    "SlidingWindowTokens",
    "SlidingWindowWithSummary",
    "Strategy",
    "Summarize",
    "ToolCleanup",
    "TtlPrune",
    "considered",
]
