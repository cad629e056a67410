"""What the session's tools have been asked to do before, as permission rules see it."""

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Replied, Returned
from octochat.session.session import Session
from octochat.tools.base import Access, ToolError

MOST = 500
"""Calls that are looked at, the newest."""


def past_calls(session: Session) -> list[tuple[str, Access]]:
    """Tool and access of every answered call whose tool is still here, oldest first."""
    tools = {tool.spec.name: tool for tool in session.tools}
    entries = session.engine.log.entries
    answered = {x.event.call_id for x in entries if isinstance(x.event, Returned)}
    calls = [
        block
        for entry in entries
        if isinstance(entry.event, Replied)
        for block in entry.event.blocks
        if isinstance(block, ToolCall) and block.name in tools and block.id in answered
    ]
    found: list[tuple[str, Access]] = []
    for call in calls[-MOST:]:
        try:
            found.append((call.name, tools[call.name].access(call.arguments)))
        except ToolError:
            continue
    return found
