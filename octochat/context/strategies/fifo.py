"""Drop the oldest messages until the rest fit."""

from dataclasses import dataclass
from typing import ClassVar

from octochat.context.edits import Decision, Hold
from octochat.context.strategies.base import Situation, drop, is_note
from octochat.context.view import Note, Step, Unit


@dataclass(frozen=True, slots=True)
class Fifo:
    """Octopus' `FIFOPruner`: "oldest messages are dropped when the budget is exceeded"."""

    name: ClassVar[str] = "fifo"

    max_tokens: int = 0
    """What the messages may weigh, in tokens; 0: window less system, tools and output reserve."""
    min_history_messages: int = 4
    """Never fewer units than this are left."""
    low_water: float = 1.0
    """Once over, free down to this share of the budget at one go."""

    def decide(self, situation: Situation) -> Decision:
        view = situation.state.view
        budget = self.max_tokens or situation.limit - view.head
        history = situation.size - view.head
        if history <= budget:
            return Hold(f"the messages fit: {history:,} of {budget:,} tokens")
        gone: list[Unit] = []
        free = situation.free
        rest = [unit for unit in view.units if unit.id in free and not is_note(unit)]
        held = len(view.units) - len(rest)
        while history > budget * self.low_water and rest:
            pair = rest[: 2 if len(rest) > 1 and isinstance(rest[1], Step) else 1]
            if held + len(rest) - len(pair) < self.min_history_messages:
                break
            history -= sum(unit.size for unit in pair)
            gone += pair
            del rest[: len(pair)]
        if not gone:
            return Hold(f"no more than {self.min_history_messages} messages are left")
        earlier = [unit for unit in view.units if isinstance(unit, Note) and is_note(unit)]
        return drop(situation, (*earlier, *gone), f"over {budget:,} tokens")
