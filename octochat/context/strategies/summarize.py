"""Sum up the oldest messages. After "Pruning Strategies" of Octopus."""

from dataclasses import dataclass
from typing import ClassVar

from octochat.context.codec.bounds import Count, Positive, PositiveShare
from octochat.context.plans.folding import messages, summarised
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold


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
            count = max(count, self._needed(situation, history - int(budget * self.low_water)))
        return summarised(
            situation, gone[:count], self.max_summary_tokens, f"over {budget:,} tokens"
        )

    def _needed(self, situation: Situation, excess: int) -> int:
        """How many of the messages that may go free `excess` tokens and room for the summary."""
        left = excess + self.max_summary_tokens
        for count, unit in enumerate(
            u for u in messages(situation.state.view.units) if u.id in situation.free
        ):
            if left <= 0:
                return count
            left -= unit.size
        return len(situation.state.view.units)
