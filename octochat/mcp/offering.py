"""Which tools of servers a session's model is told of, as events before each request.

What has been sent is never changed: before the first request all tools are declared at once; what
comes, changes or goes later is added behind. Source: docs/mcp.md#what-it-costs.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from octochat.context.session.asides import Reminded
from octochat.context.session.events import (
    Event,
    ToolDefinition,
    ToolLoaded,
    ToolsChanged,
    ToolWithdrawn,
)
from octochat.context.session.state import State
from octochat.context.session.tags import REMINDER, tagged
from octochat.mcp.host import McpHost
from octochat.mcp.offered import PREFIX, ServerTool
from octochat.mcp.tools import CALL, CALL_DEFINITION, FIND, find_definition, offered_now
from octochat.models.catalogue import ModelInfo

_READY = re.compile(r"^- (\S+): .*\(\d+ tools?\)$", re.MULTILINE)


class Offering:
    """A part of the engine's port for news."""

    def __init__(self, host: McpHost, known: Callable[[str], ModelInfo]) -> None:
        """`known` tells what is known of a model by its name."""
        self._host = host
        self._known = known
        self._waited = False
        self._told: set[str] | None = None
        """The servers that the model knows; None: not looked at yet."""

    async def __call__(self, state: State) -> Sequence[Event]:
        """What the model must be told now; the first time it waits for servers that start."""
        if not self._host.settings:
            return ()
        if not self._waited:
            await self._host.settled()
            self._waited = True
        if state.ledger.calls:
            return tuple(self._later(state))
        tools = self._declared(state)
        return () if tools == state.view.tools else (ToolsChanged(tools),)

    def _declared(self, state: State) -> tuple[ToolDefinition, ...]:
        """Octochat's own tools, those two, and all that servers have now, sorted."""
        own = tuple(t for t in state.view.tools if not _foreign(t.name))
        servers = tuple(tool.definition for tool in self._host.tools)
        return (*own, find_definition(self._host.standing), CALL_DEFINITION, *servers)

    def _later(self, state: State) -> Iterator[Event]:
        now = offered_now(state)
        find = now.get(FIND)
        if find is None:
            find = find_definition(self._host.standing)
            if self._known(state.model).loads_tools:
                yield ToolLoaded(find)
            else:
                yield ToolsChanged(self._declared(state))
                now = {**now, **{t.definition.name: t.definition for t in self._host.tools}}
        if self._told is None:
            self._told = set(_READY.findall(find.description))
        yield from self._arrived(self._told)
        offered = {name: tool for name, tool in now.items() if name.startswith(PREFIX)}
        for name, definition in offered.items():
            yield from self._gone(name, definition)
        for tool in self._host.tools:
            if tool.definition.offer == "always" and tool.definition.name not in offered:
                yield _loaded(tool)

    def _arrived(self, told: set[str]) -> Iterator[Event]:
        for each in self._host.standing:
            if each.status == "ready" and each.name not in told:
                told.add(each.name)
                what = f": {each.purpose}" if each.purpose else ""
                words = f"The server {each.name} is there now{what}. {FIND} finds its tools."
                why = f"The model was told that the server {each.name} is there"
                yield Reminded(tagged(REMINDER, words), why=why)

    def _gone(self, name: str, definition: ToolDefinition) -> Iterator[Event]:
        """A tool that the model can call is gone, or is another one now."""
        tool = self._host.tool(name)
        if tool and tool.definition == definition:
            return
        server = name.split("__")[1]
        standing = next((each for each in self._host.standing if each.name == server), None)
        if standing and standing.status == "starting":
            return
        if tool:
            yield ToolWithdrawn(name, "it has changed")
            yield _loaded(tool)
        elif standing and standing.status == "ready":
            yield ToolWithdrawn(name, f"{server} no longer has it")
        else:
            yield ToolWithdrawn(name, f"the server {server} is not there")


def _foreign(name: str) -> bool:
    return name in (FIND, CALL) or name.startswith(PREFIX)


def _loaded(tool: ServerTool) -> ToolLoaded:
    return ToolLoaded(tool.definition, tool.server, tool.name)
