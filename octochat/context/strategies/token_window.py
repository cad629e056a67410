"""Keep the newest messages that fit, with or without a summary of the others.

After `SlidingWindow` and `SlidingWindowWithSummary` of a context strategy trait.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from octochat.context.codec.bounds import Count, Positive, PositiveShare
from octochat.context.plans.folding import drop, droppable, is_gap, is_note, summarised
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold
from octochat.context.session.view import Unit, Units


@dataclass(frozen=True, slots=True)
class SlidingWindowTokens:
    """A window of tokens: the newest messages that fit stay, the others go.

    Best where recent context is nearly always what is needed: simple and predictable. With
    low_water = 1.0 it breaks the prompt cache at every call once the window is full.
    """

    name: ClassVar[str] = "sliding_window_tokens"

    max_tokens: Count = 0
    """The budget for messages, in tokens. 0: all that the window has left for them."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the budget at one go."""

    def decide(self, situation: Situation) -> Decision:
        """Drop the older part."""
        budget, history = situation.budget(self.max_tokens), situation.history
        if history <= budget:
            return Hold(f"the messages fit: {history:,} of {budget:,} tokens")
        gone = _evicted(situation, int(budget * self.low_water), is_gap)
        return drop(situation, gone, f"over {budget:,} tokens")


@dataclass(frozen=True, slots=True)
class SlidingWindowWithSummary:
    """A window of tokens: the newest messages that fit stay, the others become a summary.

    Best for long conversations where the newest counts most but the thread must not be lost. Costs
    a call of a model whenever messages leave the window.
    """

    name: ClassVar[str] = "sliding_window_with_summary"

    max_tokens: Count = 0
    """The budget for messages, in tokens. 0: all that the window has left for them."""
    max_summary_tokens: Positive = 500
    """The longest summary, in tokens. This much of the window is kept free for it."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the budget at one go."""

    def decide(self, situation: Situation) -> Decision:
        """Sum up the older part."""
        budget, history = situation.budget(self.max_tokens), situation.history
        if history <= budget:
            return Hold(f"the messages fit: {history:,} of {budget:,} tokens")
        room = int(budget * self.low_water) - self.max_summary_tokens
        gone = _evicted(situation, room, is_note)
        return summarised(situation, gone, self.max_summary_tokens, f"over {budget:,} tokens")


def _evicted(situation: Situation, room: int, replaced: Callable[[Unit], bool]) -> Units:
    """All that may go but the newest that fit into `room` tokens beside what stays anyway.

    "Stop at the first that does not": what is left is one piece. Notes that are `replaced` by the
    new one take no room.
    """
    free = droppable(situation)
    ids = {unit.id for unit in free}
    units = situation.state.view.units
    room -= situation.uncounted
    room -= sum(unit.size for unit in units if unit.id not in ids and not replaced(unit))
    for kept, unit in enumerate(reversed(free)):
        room -= unit.size
        if room < 0:
            return free[: len(free) - kept]
    return ()
