"""A tool as the model is told of it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as the model is told of it, and as it was sent."""

    name: str
    description: str
    schema: Mapping[str, object]
    """JSON schema of the arguments."""
