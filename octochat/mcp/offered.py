"""What a server offers, as plain values: tools, prompts, resources, and how it stands with it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from octochat.context.session.tool_definition import Offer, ToolDefinition
from octochat.mcp.settings import McpServer

PREFIX: Final = "mcp__"
"""What the names of all tools of servers begin with."""
_LONGEST = 64
"""Characters of a tool's name."""
_ODD = re.compile(r"[^A-Za-z0-9_-]")

Status: TypeAlias = Literal["starting", "ready", "failed", "off"]


@dataclass(frozen=True, slots=True)
class ServerTool:
    """One tool of a server."""

    server: str
    name: str
    """As the server calls it."""
    definition: ToolDefinition
    """As the model is told of it."""
    only_reads: bool = False
    """The server says that it changes nothing."""


@dataclass(frozen=True, slots=True)
class ServerPrompt:
    """A prompt that a server has for people."""

    server: str
    name: str
    description: str = ""
    required: tuple[str, ...] = ()
    """Arguments that must be given, in order; then come the others."""
    optional: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The slash command, without the slash."""
        return full_name(self.server, self.name)

    @property
    def usage(self) -> str:
        """What may follow the command."""
        needed = (name.upper() for name in self.required)
        return " ".join((*needed, *(f"[{name.upper()}]" for name in self.optional)))


@dataclass(frozen=True, slots=True)
class ServerResource:
    """Something that can be read from a server."""

    server: str
    uri: str
    name: str = ""
    description: str = ""
    template: bool = False
    """Whether `uri` has places in braces that are to be filled in."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A server, as it stands now."""

    name: str
    status: Status = "starting"
    why: str = ""
    """Why it failed, in a line."""
    purpose: str = ""
    """What it is for, in a line."""
    tools: tuple[ServerTool, ...] = ()
    prompts: tuple[ServerPrompt, ...] = ()
    resources: tuple[ServerResource, ...] = ()

    def tool(self, name: str) -> ServerTool | None:
        """The tool that the server calls so."""
        return next((tool for tool in self.tools if tool.name == name), None)


def full_name(server: str, name: str) -> str:
    """What a tool or prompt of a server is called here; the same for ever."""
    full = f"{PREFIX}{server}__{_ODD.sub('_', name)}"
    if len(full) <= _LONGEST and not _ODD.search(name):
        return full
    return f"{full[: _LONGEST - 7]}_{sha256(name.encode()).hexdigest()[:6]}"


def wanted(name: str, settings: McpServer) -> bool:
    """Whether a tool is taken, by the person's patterns."""
    taken = not settings.include or _fits(name, settings.include)
    return taken and not _fits(name, settings.exclude)


def offer_of(settings: McpServer) -> Offer:
    """When the tools of a server are shown."""
    return "always" if settings.always_load else "deferred"


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
