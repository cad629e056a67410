"""Keep the last exchanges. After "Pruning Strategies" of Octopus."""

from dataclasses import dataclass
from typing import ClassVar

from octochat.context.codec.bounds import Positive, PositiveShare
from octochat.context.plans.folding import drop, droppable
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold
from octochat.context.session.view import Prompt


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """Octopus' SlidingWindow: only the last exchanges stay, whatever they weigh.

    Best for short sessions on one task, where early context does not matter. The model sees nothing
    of what came before the last turns.
    """

    name: ClassVar[str] = "sliding_window"

    turns: Positive = 10
    """How many exchanges stay (a prompt and all that answers it)."""
    low_water: PositiveShare = 1.0
    """Once there are more, only this share of them stays."""

    def decide(self, situation: Situation) -> Decision:
        """Drop all that came before the last exchanges."""
        units = situation.state.view.units
        begins = [unit.id for unit in units if isinstance(unit, Prompt)]
        if len(begins) <= self.turns:
            return Hold(f"{len(begins)} exchanges (more than {self.turns} are too many)")
        first = begins[-max(int(self.turns * self.low_water), 1)]
        place = next(i for i, unit in enumerate(units) if unit.id == first)
        old = {unit.id for unit in units[:place]}
        gone = tuple(unit for unit in droppable(situation) if unit.id in old)
        return drop(situation, gone, f"more than {self.turns} exchanges")
