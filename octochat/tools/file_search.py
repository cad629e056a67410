"""What the tools that search files have in common. It does not know what they look for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, Self

from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments
from octochat.tools.limits import Limits, Spill
from octochat.tools.paths import Roots
from octochat.tools.tool_context import ToolContext


def definition(name: str, description: str, *, pattern: str, path: str) -> ToolDefinition:
    """Such a tool as the model is told of it; `pattern` and `path` describe its arguments."""
    return ToolDefinition(
        name=name,
        description=description,
        schema=given.schema(
            ["pattern"],
            pattern={"type": "string", "description": pattern},
            path={"type": "string", "description": path},
        ),
    )


@dataclass(frozen=True, slots=True)
class FileSearch:
    """A tool that looks for a pattern in a folder."""

    name: ClassVar[str]
    definition: ClassVar[ToolDefinition]

    roots: Roots
    spill: Spill
    limits: Limits
    readable: Callable[[Path], bool]
    """Whether the permission rules let this file be searched."""

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.roots, place.spill, place.limits, partial(place.readable, cls.name))

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return self.definition

    def access(self, arguments: Arguments) -> Access:
        """The file or folder that would be searched."""
        given.known(arguments, ("pattern", "path"))
        given.text(arguments, "pattern")
        return self.roots.reading(given.optional_text(arguments, "path") or ".")

    async def close(self) -> None:
        """Nothing is held."""
