"""What the session's tools were asked to do so far, as permission rules see it."""

from octochat.context.content import ToolCall
from octochat.context.events import Replied
from octochat.session import Session
from octochat.tools.base import Access, ToolError

MOST = 500
"""Calls that are looked at, the newest."""


def past_calls(session: Session) -> list[tuple[str, Access]]:
    """Tool and access of every call whose tool is still here, oldest first."""
    tools = {tool.spec.name: tool for tool in session.tools}
    calls = [
        block
        for entry in session.engine.log.entries
        if isinstance(entry.event, Replied)
        for block in entry.event.blocks
        if isinstance(block, ToolCall) and block.name in tools
    ]
    found: list[tuple[str, Access]] = []
    for call in calls[-MOST:]:
        try:
            found.append((call.name, tools[call.name].access(call.arguments)))
        except ToolError:
            continue
    return found
