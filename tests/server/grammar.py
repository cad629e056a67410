"""The shapes of a Messages request, as the SDK's parameter types have them.

Server-side tools, containers and context management are not simulated, so they are refused.
"""

import base64
import binascii
from typing import Any

from tests.server.shapes import (
    Shape,
    Tagged,
    any_value,
    boolean,
    each,
    integer,
    mapping,
    matching,
    maybe,
    number,
    one_of,
    refuse,
    string,
    text_or,
)

IMAGE_LIMIT = 5 * 1024 * 1024
"""Bytes of one picture, once decoded."""

ID = matching("[a-zA-Z0-9_-]+")
TOOL_NAME = matching("[a-zA-Z0-9_-]{1,128}")

CACHE_CONTROL = maybe(Shape({"type": one_of("ephemeral")}, {"ttl": one_of("5m", "1h")}))
CACHED = {"cache_control": CACHE_CONTROL}


def image_data(value: Any, path: str) -> None:
    """Base64 of a picture that is not too big."""
    string(value, path)
    try:
        size = len(base64.b64decode(value, validate=True))
    except (binascii.Error, ValueError) as error:
        raise refuse(path, "Invalid base64 data") from error
    if not size:
        raise refuse(path, "image cannot be empty")
    if size > IMAGE_LIMIT:
        raise refuse(path, f"image exceeds 5 MB maximum: {size} bytes > {IMAGE_LIMIT} bytes")


def pdf_data(value: Any, path: str) -> None:
    string(value, path)
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise refuse(path, "Invalid base64 data") from error


TEXT = Shape({"type": any_value, "text": string}, {**CACHED, "citations": maybe(each(mapping))})
IMAGE = Shape(
    {
        "type": any_value,
        "source": Tagged(
            {
                "base64": Shape(
                    {
                        "type": any_value,
                        "media_type": one_of("image/jpeg", "image/png", "image/gif", "image/webp"),
                        "data": image_data,
                    }
                ),
                "url": Shape({"type": any_value, "url": string}),
            }
        ),
    },
    {
        **CACHED,
        "transformations": maybe(Shape({}, {"oversized_image": one_of("downsize", "error")})),
    },
)
DOCUMENT = Shape(
    {
        "type": any_value,
        "source": Tagged(
            {
                "base64": Shape(
                    {
                        "type": any_value,
                        "media_type": one_of("application/pdf"),
                        "data": pdf_data,
                    }
                ),
                "text": Shape(
                    {"type": any_value, "media_type": one_of("text/plain"), "data": string}
                ),
                "url": Shape({"type": any_value, "url": string}),
            }
        ),
    },
    {
        **CACHED,
        "citations": maybe(Shape({}, {"enabled": boolean})),
        "context": maybe(string),
        "title": maybe(string),
    },
)
SEARCH_RESULT = Shape(
    {
        "type": any_value,
        "content": each(Tagged({"text": TEXT})),
        "source": string,
        "title": string,
    },
    {**CACHED, "citations": Shape({}, {"enabled": boolean})},
)
THINKING = Shape({"type": any_value, "thinking": string, "signature": string})
REDACTED = Shape({"type": any_value, "data": string})
TOOL_USE = Shape(
    {"type": any_value, "id": ID, "name": TOOL_NAME, "input": mapping},
    {**CACHED, "caller": Shape({"type": one_of("direct")})},
)
TOOL_REFERENCE = Shape({"type": any_value, "tool_name": TOOL_NAME}, CACHED)
RESULT_PART = Tagged(
    {
        "text": TEXT,
        "image": IMAGE,
        "document": DOCUMENT,
        "search_result": SEARCH_RESULT,
        "tool_reference": TOOL_REFERENCE,
    }
)
TOOL_RESULT = Shape(
    {"type": any_value, "tool_use_id": ID},
    {**CACHED, "content": text_or(each(RESULT_PART)), "is_error": boolean},
)
COMPACTION = Shape(
    {"type": any_value},
    {
        **CACHED,
        "content": maybe(string),
        "encrypted_content": maybe(string),
        "signature": maybe(string),
        "tool_changes": maybe(each(mapping)),
    },
)
TOOL = Shape(
    {"name": TOOL_NAME, "input_schema": mapping},
    {
        **CACHED,
        "type": maybe(one_of("custom")),
        "description": string,
        "strict": boolean,
        "eager_input_streaming": maybe(boolean),
        "input_examples": each(mapping),
        "defer_loading": boolean,
        "allowed_callers": each(one_of("direct")),
    },
)
NAMED_TOOL = Shape({"type": any_value, "name": TOOL_NAME})
DEFINED_TOOL = Shape({"type": any_value, "definition": TOOL})
TOOL_ADDITION = Shape(
    {
        "type": any_value,
        "tool": Tagged({"tool_reference": NAMED_TOOL, "tool_definition": DEFINED_TOOL}),
    },
    CACHED,
)
TOOL_REMOVAL = Shape(
    {"type": any_value, "tool": Tagged({"tool_reference": NAMED_TOOL})},
    CACHED,
)
CONTENT = Tagged(
    {
        "text": TEXT,
        "image": IMAGE,
        "document": DOCUMENT,
        "search_result": SEARCH_RESULT,
        "thinking": THINKING,
        "redacted_thinking": REDACTED,
        "tool_use": TOOL_USE,
        "tool_result": TOOL_RESULT,
        "compaction": COMPACTION,
        "tool_addition": TOOL_ADDITION,
        "tool_removal": TOOL_REMOVAL,
    }
)
EFFORT = maybe(one_of("low", "medium", "high", "xhigh", "max"))
MESSAGE = Shape(
    {"role": one_of("user", "assistant", "system")},
    {"content": text_or(each(CONTENT)), "output_config": Shape({}, {"effort": EFFORT})},
)
BINDING = maybe(Shape({}, {"prefix_mismatch_behavior": maybe(one_of("error", "drop_block"))}))
SHOWN = {"display": maybe(one_of("summarized", "omitted")), "block_binding": BINDING}
THINKING_CONFIG = Tagged(
    {
        "adaptive": Shape({"type": any_value}, SHOWN),
        "enabled": Shape({"type": any_value, "budget_tokens": integer}, SHOWN),
        "disabled": Shape({"type": any_value}),
        "between_tools": Shape({"type": any_value}),
    }
)
PARALLEL = {"disable_parallel_tool_use": boolean}
TOOL_CHOICE = Tagged(
    {
        "auto": Shape({"type": any_value}, PARALLEL),
        "any": Shape({"type": any_value}, PARALLEL),
        "tool": Shape({"type": any_value, "name": string}, PARALLEL),
        "none": Shape({"type": any_value}),
    }
)
OUTPUT_CONFIG = Shape(
    {},
    {
        "effort": EFFORT,
        "format": maybe(Tagged({"json_schema": Shape({"type": any_value, "schema": mapping})})),
    },
)
COMMON = {
    "cache_control": CACHE_CONTROL,
    "compaction": maybe(Shape({"type": one_of("summarize")}, {"instructions": maybe(string)})),
    "output_config": OUTPUT_CONFIG,
    "system": text_or(each(Tagged({"text": TEXT}))),
    "thinking": THINKING_CONFIG,
    "tool_choice": TOOL_CHOICE,
    "tools": each(TOOL),
}
REQUEST = Shape(
    {"model": string, "messages": each(MESSAGE), "max_tokens": integer},
    {
        **COMMON,
        "diagnostics": maybe(Shape({}, {"previous_message_id": maybe(string)})),
        "metadata": Shape({}, {"user_id": maybe(string)}),
        "service_tier": one_of("auto", "standard_only"),
        "stop_sequences": each(string),
        "stream": boolean,
        "temperature": number,
        "top_k": integer,
        "top_p": number,
    },
)
COUNT_REQUEST = Shape({"model": string, "messages": each(MESSAGE)}, COMMON)
