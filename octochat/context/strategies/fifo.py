"""Drop the oldest messages until the rest fit. After "Pruning Strategies" of Octopus."""

from dataclasses import dataclass
from typing import ClassVar

from octochat.context.codec.bounds import Count, PositiveShare
from octochat.context.plans.folding import drop, droppable, messages
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold
from octochat.context.session.view import Step, Unit, Units


@dataclass(frozen=True, slots=True)
class Fifo:
    """Octopus' FIFO: the oldest messages are dropped when the budget is exceeded.

    Best for most agents: simple, no extra calls of a model. Early context is out of sight (`recall`
    fetches it).
    """

    name: ClassVar[str] = "fifo"

    max_tokens: Count = 0
    """The budget for messages, in tokens. 0: all that the window has left for them."""
    min_history_messages: Count = 4
    """Leave at least this many messages (a prompt, or a reply with its tool results)."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the budget at one go."""

    def decide(self, situation: Situation) -> Decision:
        """Drop the oldest unit, and the reply that follows it if it is one, while over budget."""
        budget, history = situation.budget(self.max_tokens), situation.history
        if history <= budget:
            return Hold(f"the messages fit: {history:,} of {budget:,} tokens")
        gone: list[Unit] = []
        left = len(messages(situation.state.view.units))
        for pair in _pairs(situation):
            if history <= budget * self.low_water or left - len(pair) < self.min_history_messages:
                break
            left -= len(pair)
            history -= sum(unit.size for unit in pair)
            gone += pair
        if not gone:
            return Hold(f"the least is left: {left} messages (min_history_messages)")
        return drop(situation, tuple(gone), f"over {budget:,} tokens")


def _pairs(situation: Situation) -> list[Units]:
    """What may go, the oldest first: a unit, and the reply right behind it."""
    units = situation.state.view.units
    free = {unit.id for unit in droppable(situation)}
    pairs: list[Units] = []
    i = 0
    while i < len(units):
        pair = units[i : i + 1]
        if pair[0].id in free:
            pair += tuple(u for u in units[i + 1 : i + 2] if isinstance(u, Step) and u.id in free)
            pairs.append(pair)
        i += len(pair)
    return pairs
