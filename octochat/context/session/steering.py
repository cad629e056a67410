"""What the person sets while a session goes on, as the log holds it: the mode and the effort.

Both are told to the model behind what it has read already, so that the prompt cache stays.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Effort: TypeAlias = Literal["low", "medium", "high", "max"]
"""How much work a model puts into its answers."""


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The session goes on in another mode."""

    mode: str
    """Its name, such as `plan`."""
    text: str
    """What the model is shown of it."""


@dataclass(frozen=True, slots=True)
class EffortChanged:
    """The model is to work harder, or less hard."""

    effort: Effort
    top_level: bool = False
    """Nothing had been sent yet, so that it stands in every request and not behind a message."""


Steering: TypeAlias = ModeChanged | EffortChanged
"""What is told to the model of what the person set."""
