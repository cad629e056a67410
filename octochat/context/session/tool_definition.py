"""A tool as the model is told of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Offer: TypeAlias = Literal["always", "deferred", "instead"]
"""When the model is shown a declared tool: from the start; once it is loaded, where the model can
have it so, else never; from the start, but only to models that can't load tools."""


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as the model is told of it, and as it was sent."""

    name: str
    description: str
    schema: Mapping[str, object]
    """JSON schema of the arguments."""
    offer: Offer = "always"


def declared(tools: tuple[ToolDefinition, ...], *, defers: bool) -> tuple[ToolDefinition, ...]:
    """The tools that a request names, to a model that can load tools or can't."""
    return tuple(t for t in tools if t.offer == "always" or (t.offer == "deferred") == defers)
