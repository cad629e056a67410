"""The tools that octochat brings along. A new one is a file beside this one and a name here."""

from typing import ClassVar, Final, Protocol, Self

from octochat.tools.base import Tool
from octochat.tools.bash import Bash
from octochat.tools.edit import Edit
from octochat.tools.glob import Glob
from octochat.tools.grep import Grep
from octochat.tools.read import Read
from octochat.tools.recall import Recall
from octochat.tools.skill import SkillTool
from octochat.tools.tool_context import ToolContext
from octochat.tools.write import Write


class BuiltinTool(Tool, Protocol):
    """A tool that says of itself what others need to know."""

    name: ClassVar[str]
    """As the model calls it, and as permission rules name it."""

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        ...


TOOLS: Final[tuple[type[BuiltinTool], ...]] = (
    Read,
    Write,
    Edit,
    Glob,
    Grep,
    Bash,
    Recall,
    SkillTool,
)
"""In the order in which the model is told of them."""
NAMES: Final = tuple(tool.name for tool in TOOLS)
"""The names of all tools, as permission rules may use them."""


def tools_at(place: ToolContext) -> tuple[Tool, ...]:
    """All tools, at work in a session."""
    return tuple(tool.at(place) for tool in TOOLS)
