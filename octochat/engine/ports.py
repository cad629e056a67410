"""What the engine works with: the model, the tools, whoever permits, and who keeps the context."""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from octochat.context.session.events import Entry, Replied
from octochat.context.session.state import State
from octochat.engine.run_tool import Permission
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Delta, Model
from octochat.tools.base import Tool

if TYPE_CHECKING:
    from octochat.engine.loop import Engine

Stream: TypeAlias = AsyncGenerator[Entry | Delta, None]


class ContextKeeper(Protocol):
    """Keeps the context in shape; see `condensing.py`."""

    def look(self, engine: "Engine") -> Stream:
        """Let every strategy have its one look before a request."""
        ...

    def fit(self, engine: "Engine", over: str) -> Stream:
        """Make the next request fit: the API said that the last one did not.

        Raises:
            ModelError: nothing that may go is left (`too_long`).
        """
        ...


@dataclass(frozen=True, slots=True)
class Ports:
    """What the engine works with."""

    model: Model
    tools: Mapping[str, Tool]
    permission: Permission
    keeper: ContextKeeper
    clock: Callable[[], float]
    info: Callable[[str], ModelInfo]
    """What is known of a model by its name."""
    used: Callable[[State, Replied], None]
    """Told of every answer with its bill, to learn how the model counts tokens."""
    warnings: deque[str] = field(default_factory=deque[str])
    """What the parts want a person to know, one line each; shown after the tool at work."""
