"""Answers on the wire: the JSON of a message, and the same message as server-sent events."""

from collections.abc import Iterator

from tests.server.refusal import Json
from tests.server.tokens import compact

PIECE = 12
"""Characters in one delta: short enough that every stream has several."""


def frame(event: Json) -> bytes:
    """One server-sent event."""
    return f"event: {event['type']}\ndata: {compact(event)}\n\n".encode()


def frames(message: Json) -> tuple[bytes, ...]:
    """A whole message as a stream, a ping included."""
    return tuple(frame(event) for event in events(message))


def events(message: Json) -> Iterator[Json]:
    """The events of a message, in the order of the API."""
    start_usage = {**message["usage"], "output_tokens": 1 if message["content"] else 0}
    del start_usage["output_tokens_details"]
    yield {
        "type": "message_start",
        "message": {
            **message,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": start_usage,
        },
    }
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        yield {"type": "content_block_start", "index": index, "content_block": blank(block)}
        for delta in deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    usage = {
        key: value
        for key, value in message["usage"].items()
        if key not in {"cache_creation", "service_tier"}
    }
    yield {
        "type": "message_delta",
        "delta": {
            "stop_reason": message["stop_reason"],
            "stop_sequence": message["stop_sequence"],
        },
        "usage": usage,
    }
    yield {"type": "message_stop"}


def blank(block: Json) -> Json:
    """The block as it starts, before its deltas."""
    match block["type"]:
        case "text":
            return {**block, "text": ""}
        case "thinking":
            return {**block, "thinking": "", "signature": ""}
        case "tool_use":
            return {**block, "input": {}}
        case "compaction":
            return {**block, "content": None}
        case _:
            return block


def deltas(block: Json) -> Iterator[Json]:
    """A block in pieces."""
    match block["type"]:
        case "text":
            for piece in pieces(block["text"]):
                yield {"type": "text_delta", "text": piece}
        case "thinking":
            for piece in pieces(block["thinking"]):
                yield {"type": "thinking_delta", "thinking": piece}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case "tool_use":
            yield {"type": "input_json_delta", "partial_json": ""}
            for piece in pieces(compact(block["input"]) if block["input"] else ""):
                yield {"type": "input_json_delta", "partial_json": piece}
        case "compaction":
            yield {
                "type": "compaction_delta",
                "content": block["content"],
                "encrypted_content": block["encrypted_content"],
            }
        case _:
            return


def pieces(text: str) -> Iterator[str]:
    """The text in short runs."""
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]
