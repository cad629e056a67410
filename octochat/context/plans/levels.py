"""Whether the levels make sense for the session: told once, at its start."""

from collections.abc import Sequence

from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy, levels_of


def too_low(situation: Situation, strategies: Sequence[Strategy]) -> str:
    """That a level is below what every request has, in words; else empty."""
    least = situation.state.view.head + situation.margin
    low = [lv for lv in levels_of(strategies, situation.window) if lv.threshold <= least]
    if not low:
        return ""
    named = " and ".join(f"{level.threshold:,}" for level in low)
    levels = "The level of" if len(low) == 1 else "The levels of"
    return (
        f"{levels} {named} tokens can never be come under: system prompt, tools and safety margin "
        f"alone have {least:,}. Raise `pressure_levels` in [compression]."
    )
