"""How many tokens each part of a request takes, by octochat's ruler. It knows no log."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from octochat.context.session.content import (
    Block,
    Image,
    Message,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.system_sections import INSTRUCTIONS, SKILLS, system_sections
from octochat.context.session.tags import MODE, RECALLED, SKILL, WORK
from octochat.context.session.tool_definition import ToolDefinition
from octochat.models.port import Request
from octochat.models.tokens.ruler import Ruler

_KNOWLEDGE = re.compile(r"^## Knowledge\n.*?(?=^## |^</|\Z)", re.MULTILINE | re.DOTALL)
_NOTES = {
    f"<{WORK}": "notes",
    f"<{RECALLED}": "recalled",
    f"<{SKILL}": "skills",
    f"<{MODE}": "mode",
}
"""How octochat's own texts begin in messages -> the part that they are."""


@dataclass(frozen=True, slots=True)
class RequestPart:
    """One part of a request."""

    name: str
    tokens: int
    within: str = ""
    """The part that it is counted in; empty for one of the whole."""


def request_parts(request: Request, ruler: Ruler) -> tuple[RequestPart, ...]:
    """Every part that there is, in the order in which the API reads them."""
    return tuple(part for part in _parts(request, ruler) if part.tokens)


def head_parts(system: str, tools: Sequence[ToolDefinition], ruler: Ruler) -> Iterator[RequestPart]:
    """The parts that stand before all messages: tools and system prompt."""
    tools = [tool for tool in tools if tool.offer != "deferred"]
    yield RequestPart("tools", sum(map(ruler.tool, tools)))
    for tool in tools:
        yield RequestPart(tool.name, ruler.tool(tool), "tools")
    yield RequestPart("system", ruler.text(system, "prose"))
    for title, text in system_sections(system):
        yield RequestPart(title, ruler.text(text, "prose"), "system")


def fixed_parts(
    system: str, tools: Sequence[ToolDefinition], ruler: Ruler
) -> tuple[RequestPart, ...]:
    """What every request begins with, whatever the project: all but instructions and skills."""
    theirs = (INSTRUCTIONS, SKILLS)
    parts = head_parts(system, tools, ruler)
    return tuple(p for p in parts if p.name != "system" and not p.name.startswith(theirs))


def _parts(request: Request, ruler: Ruler) -> Iterator[RequestPart]:
    yield from head_parts(request.system, request.tools, ruler)
    yield RequestPart("messages", sum(ruler.blocks(m.blocks) for m in request.messages))
    sizes: dict[str, int] = {}
    for message in request.messages:
        for block in message.blocks:
            name = _part(message, block)
            sizes[name] = sizes.get(name, 0) + ruler.blocks((block,))
            if name == "notes" and isinstance(block, Text):
                known = sum(ruler.text(text, "prose") for text in _KNOWLEDGE.findall(block.text))
                sizes["of notes, knowledge"] = sizes.get("of notes, knowledge", 0) + known
    for name, tokens in sizes.items():
        yield RequestPart(name, tokens, "messages")


def _part(message: Message, block: Block) -> str:
    match block:
        case Text(text=text) if message.role == "user":
            return next((n for tag, n in _NOTES.items() if text.startswith(tag)), "prompts")
        case Text():
            return "replies"
        case Thinking():
            return "thinking"
        case ToolCall():
            return "tool calls"
        case ToolResult():
            return "tool results"
        case Image() | Opaque():
            return "pictures and files"
