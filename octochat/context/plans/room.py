"""How much automatic recall may add to a context: what it may not do is set off the next fold."""

from collections.abc import Iterable

from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy, levels_of

SHARE = 0.25
"""Of the room that is left before the next level, or before the limit."""


def room_for_recall(situation: Situation, strategies: Iterable[Strategy]) -> int:
    """Tokens that what is recalled may take at most; 0 where nothing is left."""
    levels = levels_of(strategies, situation.window)
    edges = (situation.limit, *(level.threshold for level in levels))
    above = (edge - situation.size for edge in edges if edge > situation.size)
    left = min(above, default=0) if situation.size < situation.limit else 0
    return int(left * SHARE)
