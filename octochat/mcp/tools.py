"""The tools of servers at work: one of a server, `find_tools`, and `call_tool`.

They know the host that the servers live in, nothing of models or the log.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from octochat.context.session.content import Said, Text, ToolCall
from octochat.context.session.events import Event, ToolDefinition, ToolLoaded, ToolWithdrawn
from octochat.context.session.loaded_tools import reference
from octochat.context.session.state import State
from octochat.context.session.view import Note
from octochat.mcp.answer import Room, content
from octochat.mcp.host import McpHost
from octochat.mcp.offered import PREFIX, ServerTool, Standing
from octochat.mcp.search import MOST, best
from octochat.text.figures import count
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, Tool, ToolError
from octochat.tools.tool_context import ToolContext

FIND: Final = "find_tools"
CALL: Final = "call_tool"
_TARGET = 4_000
"""Characters of a call's arguments that a rule can be about."""


def find_definition(servers: Sequence[Standing]) -> ToolDefinition:
    """`find_tools` as the model is told of it: it names the servers, for nothing else does."""
    lines = (f"- {each.name}: {_purpose(each)}" for each in servers)
    return ToolDefinition(
        FIND,
        "Finds tools of the servers below by what they do. Look here before you say that "
        f"something can't be done. The best {MOST} can be called from then on: by their own names, "
        f"or with {CALL} if you have that tool.\n" + "\n".join(lines),
        given.schema(
            ("query",),
            query={
                "type": "string",
                "description": "Words for what the tool is to do, as in: create github issue.",
            },
        ),
    )


CALL_DEFINITION: Final = ToolDefinition(
    CALL,
    f"Calls a tool of a server, which {FIND} has shown.",
    given.schema(
        ("server", "tool", "arguments"),
        server={"type": "string"},
        tool={"type": "string", "description": f"As {FIND} names it."},
        arguments={"type": "object", "description": "As its definition says."},
    ),
    offer="instead",
)


class McpTool:
    """One tool of a server."""

    def __init__(self, tool: ServerTool, host: McpHost, room: Room) -> None:
        self._tool = tool
        self._host = host
        self._room = room

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return self._tool.definition

    def access(self, arguments: Arguments) -> Access:
        """What it touches only its server knows; the arguments are what a rule can be about."""
        asks = self._host.settings[self._tool.server].permission == "ask"
        target = json.dumps(dict(arguments), ensure_ascii=False, default=str)[:_TARGET]
        return Access("call", target, vouched=self._tool.only_reads and not asks)

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Have the server do it.

        Raises:
            ToolError: the server is not there, failed, or took too long.
        """
        del access
        answer = await self._host.call(self._tool, dict(arguments), progress)
        server = self._tool.server
        said = content(answer.content, answer.structured_content, server, self._room)
        return Output(said, failed=bool(answer.is_error))

    async def close(self) -> None:
        """The host ends the servers."""


class FindTools:
    """Searches the tools of all servers, and has the best of them loaded."""

    def __init__(self, host: McpHost, state: Callable[[], State]) -> None:
        """`state` gives the session as it stands."""
        self._host = host
        self._state = state

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it, with the servers as they are now."""
        return find_definition(self._host.standing)

    def access(self, arguments: Arguments) -> Access:
        """Nothing is touched.

        Raises:
            ToolError: there is no query.
        """
        return Access("none", given.text(arguments, "query"))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Find and load."""
        del access, progress
        await self._host.settled()
        found = best(given.text(arguments, "query"), self._host.tools)
        if not found:
            return Output((Text(self._nothing()),))
        known = offered_now(self._state())
        said: list[Said] = []
        events: list[Event] = []
        for tool in found:
            if known.get(tool.definition.name) == tool.definition:
                said.append(Text(f"{tool.definition.name} is loaded already."))
                continue
            said.append(reference(tool.definition.name))
            events.append(ToolLoaded(tool.definition, tool.server, tool.name))
        return Output(tuple(said), events=tuple(events))

    async def close(self) -> None:
        """Nothing is held."""

    def _nothing(self) -> str:
        lines = (f"- {each.name}: {_purpose(each)}" for each in self._host.standing)
        return "No tool fits. Try other words. The servers:\n" + "\n".join(lines)


class CallTool:
    """Calls a tool by the names of its server and of itself; permissions see that tool."""

    spec: ToolDefinition = CALL_DEFINITION

    def __init__(self, host: McpHost, tools: Mapping[str, Tool]) -> None:
        """`tools` has those of servers by their full names."""
        self._host = host
        self._tools = tools

    def forwarded(self, call: ToolCall) -> tuple[ToolCall, Tool]:
        """The call that is meant, and its tool.

        Raises:
            ToolError: there is no such tool.
        """
        server, name = given.text(call.arguments, "server"), given.text(call.arguments, "tool")
        standing = next((each for each in self._host.standing if each.name == server), None)
        if standing is None:
            names = ", ".join(each.name for each in self._host.standing)
            raise ToolError(f"There is no server {server!r}. There are: {names}.")
        if standing.status == "failed":
            raise ToolError(f"The server {server} can't be reached: {standing.why}.")
        tool = standing.tool(name) or self._host.tool(name)
        if tool is None or tool.server != server:
            raise ToolError(f"{server} has no tool {name!r}. {FIND} finds what it has.")
        inner = call.arguments.get("arguments")
        if inner is not None and not isinstance(inner, Mapping):
            raise ToolError("arguments must be an object")
        full = tool.definition.name
        arguments = cast("Arguments", inner or {})
        return replace(call, name=full, arguments=arguments), self._tools[full]

    def access(self, arguments: Arguments) -> Access:
        """That of the tool that is meant."""
        call, tool = self.forwarded(ToolCall("", CALL, arguments))
        return tool.access(call.arguments)

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """The same."""
        call, tool = self.forwarded(ToolCall("", CALL, arguments))
        return await tool.run(call.arguments, access, progress)

    async def close(self) -> None:
        """Nothing is held."""


class LiveTools(Mapping[str, Tool]):
    """A session's tools by name: its own, and those of servers as they are at the moment."""

    def __init__(self, own: Mapping[str, Tool], host: McpHost, place: ToolContext) -> None:
        """`own` are octochat's; they win."""
        self._host = host
        self._room = Room(place.limits, place.spill, place.pictures)
        added = (FindTools(host, place.state), CallTool(host, self)) if host.settings else ()
        self._own: dict[str, Tool] = {**own, **{tool.spec.name: tool for tool in added}}

    def __getitem__(self, name: str) -> Tool:
        """The tool, if there is one."""
        if name in self._own:
            return self._own[name]
        tool = self._host.tool(name) if name.startswith(PREFIX) else None
        if tool is None:
            raise KeyError(name)
        return McpTool(tool, self._host, self._room)

    def __iter__(self) -> Iterator[str]:
        """Octochat's own: those of servers are found."""
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)


def offered_now(state: State) -> Mapping[str, ToolDefinition]:
    """The tools that the model of a session can call without looking for them."""
    now = {tool.name: tool for tool in state.view.tools if tool.offer == "always"}
    for unit in state.view.units:
        match unit:
            case Note(tool=ToolLoaded(tool=tool)):
                now[tool.name] = tool
            case Note(tool=ToolWithdrawn(name=name)):
                now.pop(name, None)
            case _:
                pass
    return now


def _purpose(standing: Standing) -> str:
    what = standing.purpose or "see what its tools are"
    match standing.status:
        case "ready":
            return f"{what} ({count(len(standing.tools), 'tool')})"
        case "starting":
            return "it is still starting"
        case _:
            return "it is not there now"
