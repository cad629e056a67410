"""Keep what scores highest. After `PriorityBased` of a context strategy trait."""

from dataclasses import dataclass
from typing import ClassVar

from octochat.context.codec.bounds import Count, PositiveShare
from octochat.context.plans.folding import drop, droppable, is_gap
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold
from octochat.context.session.view import Note, Prompt, Unit


@dataclass(frozen=True, slots=True)
class Priority:
    """The highest-scored messages that fit stay: the person's first, then tool work, then talk.

    Best where what the person said must outlive what was answered. Leaves gaps in the middle, and
    breaks the prompt cache where the first one is.
    """

    name: ClassVar[str] = "priority"

    max_tokens: Count = 0
    """The budget for messages, in tokens. 0: all that the window has left for them."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the budget at one go."""

    def decide(self, situation: Situation) -> Decision:
        """Take the best that fit, skip what does not, leave the order as it is."""
        budget, history = situation.budget(self.max_tokens), situation.history
        if history <= budget:
            return Hold(f"the messages fit: {history:,} of {budget:,} tokens")
        units = situation.state.view.units
        free = {unit.id for unit in droppable(situation)}
        room = int(budget * self.low_water) - situation.uncounted
        room -= sum(u.size for u in units if u.id not in free and not is_gap(u))
        scores = {unit.id: score(unit, (i + 1) / len(units)) for i, unit in enumerate(units)}
        gone: list[Unit] = []
        for unit in sorted(droppable(situation), key=lambda u: scores[u.id], reverse=True):
            if unit.size <= room:
                room -= unit.size
            else:
                gone.append(unit)
        return drop(situation, tuple(gone), f"over {budget:,} tokens")


def score(unit: Unit, recency: float) -> float:
    """The trait's heuristic; `recency` is above 0 and 1 for the newest.

    A reply with its results counts as its best part, which is the call: 80 + 40 r, and not the
    50 + 40 r of the results.
    """
    match unit:
        case Prompt():
            return 100 + 50 * recency
        case Note():
            return 60 + 30 * recency
        case _:
            return 80 + 40 * recency if unit.calls else 60 + 30 * recency
