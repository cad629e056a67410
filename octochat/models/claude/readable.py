"""The body of a request as Markdown that a person reads. It knows no files and counts nothing."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from octochat.storage.export import fenced

Json: TypeAlias = Mapping[str, object]


def system_page(body: Json) -> str:
    """The system prompt as it is sent; empty if there is none."""
    return "\n\n".join(str(block["text"]) for block in _blocks(body, "system"))


def tools_page(body: Json) -> str:
    """Every tool: its name, its description and the schema of its input."""
    return "\n\n".join(map(tool_page, _blocks(body, "tools")))


def tool_page(tool: Json) -> str:
    """One tool."""
    schema = fenced(_json(tool["input_schema"]), "json")
    return f"# {tool['name']}\n\n{tool['description']}\n\n{schema}"


def messages_page(body: Json, since: int = 0) -> str:
    """The messages from number `since` on, counted from 0, each under its number and role."""
    messages = _blocks(body, "messages")
    blocks = [block for message in messages for block in _blocks(message, "content")]
    calls = {block["id"]: block["name"] for block in blocks if block["type"] == "tool_use"}
    return "\n\n".join(_message(n, messages[n], calls) for n in range(since, len(messages)))


def schema_page(body: Json) -> str:
    """The JSON schema that the answer is held to; empty if it is free."""
    output = cast("Json", body.get("output_config") or {})
    form = cast("Json", output.get("format") or {})
    return fenced(_json(form["schema"]), "json") if form else ""


def without_marks(block: object) -> object:
    """The same without cache breakpoints, which change no word of what the model reads."""
    match block:
        case Mapping():
            inner = cast("Json", block).items()
            return {key: without_marks(item) for key, item in inner if key != "cache_control"}
        case list():
            return [without_marks(item) for item in cast("list[object]", block)]
        case _:
            return block


def _message(number: int, message: Json, calls: Mapping[object, object]) -> str:
    parts = (_block_page(block, calls) for block in _blocks(message, "content"))
    return "\n\n".join((f"## {number + 1}. {message['role']}", *parts))


def _block_page(block: Json, calls: Mapping[object, object]) -> str:
    match block["type"]:
        case "text":
            return str(block["text"])
        case "thinking":
            return f"### thinking\n\n{block['thinking']}"
        case "tool_use":
            given = fenced(_json(block["input"]), "json")
            return f"### calls {block['name']} ({block['id']})\n\n{given}"
        case "tool_result":
            failed = " (failed)" if block.get("is_error") else ""
            content = "\n\n".join(_result(part) for part in _blocks(block, "content"))
            call = block["tool_use_id"]
            return f"### result of {calls.get(call)} ({call}){failed}\n\n{content or '(nothing)'}"
        case _:
            return _other(block)


def _result(part: Json) -> str:
    return fenced(str(part["text"])) if part["type"] == "text" else _other(part)


def _other(block: Json) -> str:
    """A picture, a document or what else octochat does not write itself: its kind and length."""
    kind = cast("Json", block.get("source") or {}).get("media_type") or block["type"]
    return f"[{kind}: {len(_json(block)):,} characters of JSON]"


def _blocks(value: Json, key: str) -> Sequence[Json]:
    return cast("Sequence[Json]", value.get(key) or ())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
