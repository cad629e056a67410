"""Sum up the oldest messages. After "Pruning Strategies" of Octopus."""

from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from octochat.context.codec.bounds import Count, Positive, PositiveShare
from octochat.context.plans.folding import messages, summarised
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold
from octochat.context.session.view import Units


@dataclass(frozen=True, slots=True)
class Summarize:
    """Octopus' Summarize: the oldest messages become a summary when the budget is exceeded.

    Best for long conversations that need continuity on a tight budget. It costs an extra call of a
    model, and its time, whenever it acts.
    """

    name: ClassVar[str] = "summarize"

    max_tokens: Count = 0
    """The budget for messages, in tokens. 0: all that the window has left for them."""
    fraction: PositiveShare = 0.3
    """The share of the messages to sum up, the oldest first."""
    max_summary_tokens: Positive = 300
    """The longest summary, in tokens."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the budget at one go; 1.0: only the fraction."""

    def decide(self, situation: Situation) -> Decision:
        """Sum up the oldest `fraction`, and more where `low_water` wants it."""
        budget, history = situation.budget(self.max_tokens), situation.history
        if history <= budget:
            return Hold(f"the messages fit: {history:,} of {budget:,} tokens")
        said = messages(situation.state.view.units)
        count = int(len(said) * self.fraction)
        if not count:
            return Hold(f"too few messages to sum up: {len(said)}")
        gone = tuple(unit for unit in said if unit.id in situation.free)
        if self.low_water < 1:
            excess = history - int(budget * self.low_water) + self.max_summary_tokens
            count = max(count, _needed(gone, excess))
        return summarised(
            situation, gone[:count], self.max_summary_tokens, f"over {budget:,} tokens"
        )


def _needed(units: Units, tokens: int) -> int:
    """How many of the units, the oldest first, have so many tokens; all, if they have fewer."""
    sums = accumulate((unit.size for unit in units), initial=0)
    return next((count for count, size in enumerate(sums) if size >= tokens), len(units))
