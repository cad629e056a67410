"""The settings of pressure-level compression: Octomind's keys, names and defaults.

Data only: what they do is the business of the strategy `pressure`.
"""

from dataclasses import dataclass
from typing import Annotated

from octochat.context.codec.bounds import Count, Positive, Seconds, Share
from octochat.context.codec.decode import Constraint
from octochat.context.codec.errors import TreeError, wrong
from octochat.context.strategies.pressure import PressureSettings


@dataclass(frozen=True, slots=True)
class DecisionModel:
    """The call that decides on a compression and writes its summary."""

    model: Annotated[str, Constraint("the name of a model", lambda name: bool(name.strip()))] = (
        "auto"
    )
    """The model that writes notes. "auto": the cheaper of Haiku 5.5 and the one you talk with;
    "offline": none, code writes them."""
    max_tokens: Positive = 16_000
    """The longest answer, in tokens."""
    temperature: Share = 0.3
    """Sent, like the two keys below, only to models that still take it."""
    top_p: Share = 1.0
    """Below 1.0 it is sent instead of the temperature: the API refuses both together."""
    top_k: Count = 0
    """From how many of the likeliest words one is taken; 0 leaves it out."""
    max_retries: Count = 1
    """How often to try again after a failure."""
    retry_timeout: Seconds = 30.0
    """How long the model may be silent, in seconds, before a try counts as failed."""
    ignore_cost: bool = False
    """Leave the cost of these calls out of the bill and of the decision whether to compress."""


@dataclass(frozen=True, slots=True)
class CompressionSettings(PressureSettings):
    """`[compression]`. The levels are sorted by threshold, whatever their order in the file."""

    hints_pressure_threshold: Share = 0.7
    """Show a hint once the context reaches this share of the next level."""
    hints_min_interval: Count = 5
    """Show at most one hint in this many model calls."""
    knowledge_retention: Count = 10
    """How many entries of knowledge later notes carry on. 0: none."""
    done_keep_turns: Count = 0
    """How many of the last turns `/done` leaves alone."""
    write_ahead: Share = 0.9
    """Begin a note in the background at this share of the size at which it will be needed, while
    the model works or you type (with --plain and -p: between the calls of a turn). 1.0: only when
    it is needed."""
    guidance: str = ""
    """What you want of every note that a model writes, in your words. A section "Compression" in
    AGENTS.md and the like is added to it."""
    decision: DecisionModel = DecisionModel()
    """The call that decides and summarises."""

    def __post_init__(self) -> None:
        """Sort the levels.

        Raises:
            TreeError: a level makes no sense, or two have the same threshold.
        """
        seen: set[int] = set()
        for index, level in enumerate(self.pressure_levels):
            path = ("pressure_levels", index)
            if level.threshold < 1:
                raise wrong("1 or more", level.threshold, path=(*path, "threshold"))
            if level.target_ratio <= 1:
                raise wrong("a number above 1", level.target_ratio, path=(*path, "target_ratio"))
            if level.threshold in seen:
                message = f"two levels have the threshold {level.threshold}"
                raise TreeError((*path, "threshold"), message)
            seen.add(level.threshold)
        ordered = tuple(sorted(self.pressure_levels, key=lambda level: level.threshold))
        if ordered != self.pressure_levels:
            object.__setattr__(self, "pressure_levels", ordered)
