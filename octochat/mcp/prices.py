"""What each server takes of the context: its definitions, those that are loaded, its results."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Entry, Replied, Returned, ToolDefinition, ToolLoaded
from octochat.context.session.state import State
from octochat.context.session.view import Note
from octochat.mcp.offered import PREFIX, Standing
from octochat.mcp.tools import CALL


@dataclass(frozen=True, slots=True)
class ServerPrice:
    """One server. All sizes are tokens."""

    name: str
    tools: int
    """How many it has."""
    definitions: int
    """What all of them would take if they were shown from the start."""
    loaded: int
    """What those take that are in the context."""
    results: int
    """What its tools have answered in this session, folded or not."""
    calls: int

    @property
    def told(self) -> str:
        """In a line."""
        used = f"{self.calls:,} calls, results {self.results:,}" if self.calls else "never used"
        return f"loaded {self.loaded:,} of {self.definitions:,} tokens · {used}"


def prices(
    standing: Sequence[Standing],
    state: State,
    entries: Sequence[Entry],
    measure: Callable[[ToolDefinition], int],
) -> Iterator[ServerPrice]:
    """The price of every server, by name; `measure` weighs a definition."""
    loaded: Counter[str] = Counter()
    for unit in state.view.units:
        if isinstance(unit, Note) and isinstance(unit.tool, ToolLoaded):
            loaded[unit.tool.source] += unit.size
    for tool in state.view.tools:
        if tool.offer == "always" and tool.name.startswith(PREFIX):
            loaded[server_of(ToolCall("", tool.name))] += measure(tool)
    made = {
        block.id: server_of(block)
        for entry in entries
        if isinstance(entry.event, Replied)
        for block in entry.event.blocks
        if isinstance(block, ToolCall)
    }
    calls = Counter(made.values())
    results: Counter[str] = Counter()
    for entry in entries:
        if isinstance(entry.event, Returned):
            results[made.get(entry.event.call_id, "")] += entry.size
    for each in standing:
        size = sum(measure(tool.definition) for tool in each.tools)
        name = each.name
        yield ServerPrice(name, len(each.tools), size, loaded[name], results[name], calls[name])


def server_of(call: ToolCall) -> str:
    """The server whose tool a call is for; empty for octochat's own."""
    if call.name == CALL:
        return str(call.arguments.get("server", ""))
    return call.name.split("__")[1] if call.name.startswith(PREFIX) else ""
