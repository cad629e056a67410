"""What the configuration says about keeping the context in shape."""

from collections.abc import Callable
from dataclasses import dataclass

from octochat.context.economics.worth import Writer
from octochat.context.plans.hints import HintRule
from octochat.context.plans.strategy import Strategy


@dataclass(frozen=True, slots=True)
class ContextPolicy:
    """What the configuration says about keeping the context in shape."""

    strategies: tuple[Strategy, ...]
    margin: int
    """`safety_margin_tokens`."""
    max_session: int
    """`max_session_tokens`; 0: the window less the reserve."""
    reserve: int
    """The most that is kept free for the answer, in tokens."""
    note_max: int
    """`note_max_tokens`."""
    writers: Callable[[str], tuple[Writer, ...]]
    """The models that may write a summary for a session with this model."""
    ignore_cost: bool
    """The summary's cost stays out of the bill and of the sums."""
    ahead: float
    """`write_ahead`: from which share of the size at which it is needed a note is begun."""
    hints: HintRule | None = None
    """When a person is told that a compression is near; None: never."""
    guidance: str = ""
    """What the person wants of every note: the configuration's words, and the project's."""
