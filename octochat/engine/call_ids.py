"""The ids of the tool calls in a session, what is folded or undone included: none comes twice."""

from collections.abc import Collection, Sequence

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Entry, Replied


class CallIds:
    """Those of one log that grows, each entry of which is read once."""

    def __init__(self) -> None:
        self._found: set[str] = set()
        self._read: int = 0
        """Entries."""

    def of(self, log: Sequence[Entry]) -> Collection[str]:
        """All that the log has now."""
        for entry in log[self._read :]:
            if isinstance(entry.event, Replied):
                calls = (block for block in entry.event.blocks if isinstance(block, ToolCall))
                self._found.update(call.id for call in calls)
        self._read = len(log)
        return self._found


def unique(wanted: str, taken: Collection[str], others: Collection[str]) -> str:
    """The id that is wanted, with a number behind it if one of these has it already."""
    name, n = wanted or "call", 2
    while name in taken or name in others:
        name, n = f"{wanted or 'call'}_{n}", n + 1
    return name
