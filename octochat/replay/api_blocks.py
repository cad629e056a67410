"""Blocks of the Messages API, as they stand in recorded files, as octochat's content."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from octochat.context.session.content import (
    Block,
    Image,
    Opaque,
    Said,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)

Json = Mapping[str, object]


def as_object(value: object) -> Json | None:
    """The value as a JSON object, or None."""
    return cast("Json", value) if isinstance(value, Mapping) else None


def as_list(value: object) -> Sequence[object]:
    """The value as a JSON array; empty where it is none."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def as_text(value: object) -> str:
    """The value as a string; empty where it is none."""
    return value if isinstance(value, str) else ""


def blocks(content: object) -> tuple[Block, ...]:
    """The blocks of a message's `content`: a string or an array. Blank text is left out."""
    if isinstance(content, str):
        return (Text(content),) if content.strip() else ()
    return tuple(_blocks(content))


def said(content: object) -> tuple[Said, ...]:
    """What a person or a tool said: of `blocks`, those that they can say."""
    return tuple(block for block in blocks(content) if isinstance(block, Text | Image | Opaque))


def _blocks(content: object) -> Iterator[Block]:
    for item in as_list(content):
        raw = as_object(item)
        if raw is not None and (block := _block(raw)) is not None:
            yield block


def _block(raw: Json) -> Block | None:
    match raw.get("type"):
        case "text":
            text = as_text(raw.get("text"))
            return Text(text) if text.strip() else None
        case "thinking":
            return Thinking(as_text(raw.get("thinking")), as_text(raw.get("signature")))
        case "tool_use":
            arguments = as_object(raw.get("input")) or {}
            return ToolCall(as_text(raw.get("id")), as_text(raw.get("name")), arguments)
        case "tool_result":
            call_id = as_text(raw.get("tool_use_id"))
            return ToolResult(call_id, said(raw.get("content")), raw.get("is_error") is True)
        case "image":
            return _image(raw)
        case _:
            return Opaque(raw)


def _image(raw: Json) -> Block:
    source = as_object(raw.get("source")) or {}
    if source.get("type") != "base64":
        return Opaque(raw)
    return Image(as_text(source.get("media_type")), as_text(source.get("data")))
