"""Tokens of what was recorded, estimated by kind, the same on every machine.

The rates are those that octochat falls back to without a vocabulary; they were measured on
recorded Claude sessions. Neither a tokenizer nor what it learned on this machine is used, so that
two runs of the lab can be compared byte for byte.
"""

import json
from collections.abc import Iterable, Mapping

from octochat.context.session.content import (
    Block,
    Image,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.events import (
    Condensed,
    Event,
    Instructed,
    Opened,
    Prompted,
    Recalled,
    Reminded,
    Replied,
    Returned,
    SkillLoaded,
    ToolsChanged,
)
from octochat.models.tokens.ruler import BLOCK, CHARACTERS, IMAGE, Sort


def measure(text: str, sort: Sort = "prose") -> int:
    """Tokens of a text alone."""
    return round(len(text) / CHARACTERS[sort])


def weigh_block(block: Block) -> int:
    """Tokens of one block of a message."""
    return BLOCK + _content(block)


def weigh_result(content: Iterable[Block]) -> int:
    """Tokens of a tool result that has this content."""
    return BLOCK + sum(map(_shown, content))


def weigh(event: Event) -> int:
    """Tokens of what an event adds to the view; 0 where that is nothing."""
    match event:
        case Opened(system=system, tools=tools) | ToolsChanged(system=system, tools=tools):
            shown = (tool for tool in tools if tool.offer != "deferred")
            described = (tool.name + tool.description + _json(tool.schema) for tool in shown)
            return measure(system) + sum(BLOCK + measure(text, "arguments") for text in described)
        case Prompted(blocks=blocks) | Replied(blocks=blocks):
            return sum(map(weigh_block, blocks))
        case Returned(content=content):
            return weigh_result(content)
        case (
            SkillLoaded(body=body)
            | Recalled(text=body)
            | Instructed(text=body)
            | Reminded(text=body)
        ):
            return BLOCK + measure(body)
        case Condensed(fold=fold):
            return sum(map(weigh_block, fold.note)) if fold else 0
        case _:
            return 0


def _content(block: Block) -> int:
    match block:
        case Text(text=text) | Thinking(text=text):
            return measure(text)
        case Image():
            return IMAGE
        case ToolCall(name=name, arguments=arguments):
            return measure(name + _json(arguments), "arguments")
        case ToolResult(content=content):
            return sum(map(_shown, content))
        case Opaque(raw=raw):
            return measure(_json(raw), "output")


def _shown(block: Block) -> int:
    """Tokens of a block within a tool result."""
    return measure(block.text, "output") if isinstance(block, Text) else _content(block)


def _json(tree: Mapping[str, object]) -> str:
    return json.dumps(dict(tree), ensure_ascii=False, default=str)
