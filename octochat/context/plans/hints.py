"""The hint that a compression is near: for the person, never for the model."""

from dataclasses import dataclass

from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Leveled


@dataclass(frozen=True, slots=True)
class HintRule:
    """When a hint is due: `hints_pressure_threshold` and `hints_min_interval`."""

    strategy: Leveled
    """Whose levels it goes by."""
    share: float
    """Of the next level's threshold."""
    interval: int
    """Model calls from one hint to the next, at least."""

    def due(self, situation: Situation) -> str | None:
        """The hint, or None where it is too early for one. The log knows when the last one was."""
        ledger = situation.state.ledger
        if ledger.hinted is not None and ledger.calls - ledger.hinted < self.interval:
            return None
        levels = self.strategy.levels(situation.window)
        coming = [level for level in levels if level.threshold > situation.size]
        if not coming or situation.size < self.share * coming[0].threshold:
            return None
        return (
            f"The context has {situation.size:,} tokens; from {coming[0].threshold:,} on it is "
            f"compressed ({coming[0].target_ratio:g}x). If the task is over, /done does it now"
        )
