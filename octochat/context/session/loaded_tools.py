"""Tools that are shown to the model in the course of a session, and which of them are in use.

It does not know where they come from.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from octochat.context.session.asides import ToolLoaded, ToolWithdrawn
from octochat.context.session.content import Opaque, Said, Text, ToolCall, ToolResult
from octochat.context.session.edits import UnitId
from octochat.context.session.tags import REMINDER, TOOLS, tagged
from octochat.context.session.tool_definition import ToolDefinition

REFERENCE = "tool_reference"
"""The type of the block in a result that shows a declared tool."""


@dataclass(frozen=True, slots=True)
class LoadedTool:
    """A tool that the model was shown, and whose note stands in the view."""

    name: str
    unit: UnitId
    """The note."""
    source: str
    called: str
    used: UnitId
    """The step in the view that called it last; 0 if there is none."""

    def is_meant(self, call: ToolCall) -> bool:
        """Whether a call is one of it, by its own name or by those of its source and there."""
        if call.name == self.name:
            return True
        given = call.arguments
        return bool(self.source) and (given.get("server"), given.get("tool")) == (
            self.source,
            self.called,
        )


Loaded = tuple[LoadedTool, ...]


def after(tools: Loaded, unit: UnitId, event: ToolLoaded | ToolWithdrawn) -> Loaded:
    """The loaded tools after one more, or one less; a newer definition replaces an older one."""
    name = event.tool.name if isinstance(event, ToolLoaded) else event.name
    others = tuple(tool for tool in tools if tool.name != name)
    if isinstance(event, ToolWithdrawn):
        return others
    before = next((tool.used for tool in tools if tool.name == name), 0)
    return (*others, LoadedTool(name, unit, event.source, event.called, before))


def used(tools: Loaded, step: UnitId, calls: Sequence[ToolCall]) -> Loaded:
    """The loaded tools after a step that makes these calls."""
    return tuple(
        replace(tool, used=step) if any(map(tool.is_meant, calls)) else tool for tool in tools
    )


def standing(tools: Loaded, units: Container[UnitId]) -> Loaded:
    """The loaded tools of a view that has become smaller: those whose note still stands in it."""
    return tuple(
        tool if tool.used in units else replace(tool, used=0)
        for tool in tools
        if tool.unit in units
    )


def in_use(tools: Loaded) -> frozenset[UnitId]:
    """The notes of those that a step in the view has called, and of octochat's own."""
    return frozenset(tool.unit for tool in tools if tool.used or not tool.source)


def reference(name: str) -> Opaque:
    """The block of a result that shows a tool of this name."""
    return Opaque({"type": REFERENCE, "tool_name": name})


def described(event: ToolLoaded) -> str:
    """A tool in words, for a model that can't be offered it as one."""
    tool = event.tool
    where = {"server": event.source, "tool": event.called} if event.source else {"tool": tool.name}
    told = {**where, "description": tool.description, "arguments": tool.schema}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


class Offers:
    """What is offered at each place of a conversation: to be asked unit by unit, in order."""

    def __init__(
        self, tools: Sequence[ToolDefinition], events: Iterable[ToolLoaded], *, defers: bool
    ) -> None:
        """`tools` are the declared ones, `events` those of the notes in the view."""
        self._defers = defers
        self._declared = {tool.name: tool for tool in tools if tool.offer == "deferred"}
        self._by_call = {(event.call_id, event.tool.name): event for event in events}
        self._now = {tool.name: tool for tool in tools if tool.offer == "always"}
        self._withdrawn: set[str] = set()
        self.any: bool = any(tool.offer != "always" for tool in tools) or bool(self._by_call)
        """Whether there is anything to be asked of it."""

    def result(self, result: ToolResult) -> ToolResult:
        """A result as it is sent: each reference as the model at hand understands it."""
        if not any(map(_shown_tool, result.content)):
            return result
        shown = tuple(self._shown(result.call_id, said) for said in result.content)
        return replace(result, content=shown)

    def changes(self, event: ToolLoaded | ToolWithdrawn) -> tuple[Opaque, ...]:
        """What a message of the system says of a note, to a model that can load tools."""
        if not self._defers:
            return ()
        match event:
            case ToolWithdrawn(name=name):
                return (_change("tool_removal", _named(name)),) if self._removed(name) else ()
            case ToolLoaded(tool=tool):
                if not self._added(tool):
                    return ()
                known = self._declared.get(tool.name) == tool
                return (_change("tool_addition", _named(tool.name) if known else _defined(tool)),)

    def words(self, event: ToolLoaded | ToolWithdrawn) -> tuple[Text, ...]:
        """The same in words, to any other model."""
        if self._defers:
            return ()
        match event:
            case ToolWithdrawn(name=name, why=why):
                gone = tagged(REMINDER, f"The tool {name} is gone: {why}.")
                return (Text(gone),) if self._removed(name) else ()
            case ToolLoaded(tool=tool):
                return (Text(tagged(TOOLS, described(event))),) if self._added(tool) else ()

    def _shown(self, call_id: str, said: Said) -> Said:
        name = _shown_tool(said)
        if not name:
            return said
        event = self._by_call.get((call_id, name))
        known = self._declared.get(name)
        if self._defers:
            other = event is not None and event.tool != known
            if known is None or other or name in self._withdrawn:
                return Text(f"{name} is offered from here on.")
            self._now[name] = known
            return said
        if event is None:
            return Text(f"{name}: look for it again to see its arguments.")
        self._now[name] = event.tool
        return Text(described(event))

    def _added(self, tool: ToolDefinition) -> bool:
        """Whether it was not offered like this before."""
        fresh = self._now.get(tool.name) != tool
        self._now[tool.name] = tool
        self._withdrawn.discard(tool.name)
        return fresh

    def _removed(self, name: str) -> bool:
        """Whether it was offered."""
        self._withdrawn.add(name)
        return self._now.pop(name, None) is not None


def _shown_tool(said: Said) -> str:
    """The name of the tool that a block refers to; empty for any other block."""
    if isinstance(said, Opaque) and said.raw.get("type") == REFERENCE:
        return str(said.raw.get("tool_name"))
    return ""


def _change(kind: str, tool: Mapping[str, object]) -> Opaque:
    return Opaque({"type": kind, "tool": tool})


def _named(name: str) -> Mapping[str, object]:
    return {"type": "tool_reference", "name": name}


def _defined(tool: ToolDefinition) -> Mapping[str, object]:
    return {
        "type": "tool_definition",
        "definition": {
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.schema,
        },
    }
