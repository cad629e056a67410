"""Tokens of recorded text, estimated by kind of block, the same on every machine.

The rates were measured on recorded Claude sessions; a tokenizer's vocabulary is not needed, and
no conversation is weighed by it, so that two runs of the lab can be compared byte for byte.
"""

import json
from collections.abc import Sequence

from octochat.context.content import (
    Block,
    Image,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.events import (
    Condensed,
    Event,
    Opened,
    Prompted,
    Replied,
    Returned,
    SkillLoaded,
    ToolsChanged,
)

RESULT_CHARACTERS = 2.8
"""Characters a token in tool results."""
CALL_CHARACTERS = 3.4
"""Characters a token in the arguments of tool calls."""
TEXT_CHARACTERS = 3.7
"""Characters a token in what people and models write."""
BLOCK = 40
"""Tokens that a block takes besides its text."""
IMAGE = 1_600
"""Tokens of a picture, at the most."""


def measure(text: str) -> int:
    """Tokens of a text alone."""
    return round(len(text) / TEXT_CHARACTERS)


def weigh_block(block: Block) -> int:
    """Tokens of one block."""
    match block:
        case Text(text=text) | Thinking(text=text):
            return BLOCK + measure(text)
        case Image():
            return BLOCK + IMAGE
        case ToolCall(name=name, arguments=arguments):
            written = json.dumps(arguments, ensure_ascii=False, default=str)
            return BLOCK + round((len(name) + len(written)) / CALL_CHARACTERS)
        case ToolResult(content=content):
            return weigh_result(content)
        case Opaque(raw=raw):
            return BLOCK + round(len(json.dumps(raw, default=str)) / CALL_CHARACTERS)


def weigh_result(content: Sequence[Block]) -> int:
    """Tokens of a tool result's content."""
    texts = sum(len(block.text) for block in content if isinstance(block, Text))
    others = sum(weigh_block(block) for block in content if not isinstance(block, Text))
    return BLOCK + round(texts / RESULT_CHARACTERS) + others


def weigh(event: Event) -> int:
    """Tokens of what an event adds to the view."""
    match event:
        case Opened(system=system, tools=tools) | ToolsChanged(system=system, tools=tools):
            described = sum(
                BLOCK + round(len(tool.description + json.dumps(tool.schema, default=str)) / 3.4)
                for tool in tools
            )
            return described + (BLOCK + measure(system) if system else 0)
        case Prompted(blocks=blocks) | Replied(blocks=blocks):
            return sum(map(weigh_block, blocks))
        case Returned(content=content):
            return weigh_result(content)
        case SkillLoaded(body=body):
            return BLOCK + measure(body)
        case Condensed(fold=fold):
            return sum(map(weigh_block, fold.note)) if fold else 0
        case _:
            return 0
