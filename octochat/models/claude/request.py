"""A `Request` as the JSON body of the Messages API. Pure: it knows no SDK and no network."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from octochat.context.session.content import (
    Block,
    Image,
    Message,
    Opaque,
    Said,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.events import ToolDefinition
from octochat.context.session.validity import problems
from octochat.models.catalogue import LEAST_BUDGET, ModelInfo
from octochat.models.claude.cache import MOST, breakpoints
from octochat.models.port import ModelError, Request

Json: TypeAlias = dict[str, object]

BINDING_BETA = "thinking-binding-controls-2026-08-01"
COMPACTION_BETA = "compact-2026-09-04"
EFFORT_BETA = "mid-conversation-output-config-2026-07-01"
TOOLS_BETA = "mid-conversation-tool-changes-2026-07-01"
INLINE_BETA = "inline-tools-2026-09-15"


@dataclass(frozen=True, slots=True)
class ClaudeOptions:
    """How Claude is asked, the same for every request of a session (a change breaks the cache)."""

    ttl: Literal["5m", "1h"] = "5m"
    """How long cache entries live after their last use."""
    thinking: Literal["on", "off"] = "on"
    """`off` is as little as the model allows."""
    thinking_budget: int = 8_000
    """For models that want one, in tokens."""
    timeout: float = 300.0
    """Seconds without a single byte after which a request has failed."""


DEFAULTS = ClaudeOptions()


def body(request: Request, model: ModelInfo, options: ClaudeOptions = DEFAULTS) -> Json:
    """The JSON of `POST /v1/messages`, streamed.

    Raises:
        ModelError: of kind `invalid`, if the API would refuse the conversation.
    """
    _check(request)
    marker: Json = {"type": "ephemeral", "ttl": options.ttl}
    head = _head(request, marker)
    most = MOST - (1 if head else 0)
    places = breakpoints(request.messages, request.folded, most)
    max_tokens = min(request.max_tokens, model.max_output)
    sent: Json = {
        "model": model.name,
        "max_tokens": max_tokens,
        **head,
        "messages": [
            _message(message, {i for at, i in places if at == number}, marker)
            for number, message in enumerate(request.messages)
        ],
        "stream": True,
    }
    sent.update(_sampling(request, model, options, max_tokens))
    if request.follows and model.known:  # other servers may not know it
        sent["diagnostics"] = {"previous_message_id": request.follows}
    output: Json = {"effort": request.effort} if request.effort else {}
    if request.compaction:
        sent["compaction"] = {"type": "summarize"}
    elif request.schema is not None and model.structured_output:
        output["format"] = {"type": "json_schema", "schema": closed(request.schema)}
    return {**sent, "output_config": output} if output else sent


def _check(request: Request) -> None:
    """The last look before it goes out; the view never makes such a conversation."""
    messages = request.messages
    if request.compaction and messages and messages[-1].role == "assistant":
        messages = (*messages, Message("user", (Text("What comes after what is compacted."),)))
    if wrong := problems(messages):
        raise ModelError(
            "invalid", f"The conversation can't be sent: {wrong[0]}. /undo takes a prompt back."
        )


def betas(request: Request, sent: Mapping[str, object]) -> tuple[str, ...]:
    """The beta features that a body makes use of, for the header `anthropic-beta`."""
    thinking = cast("Mapping[str, object]", sent.get("thinking", {}))
    compacts = request.compaction or any(
        isinstance(block, Opaque) and block.raw.get("type") == "compaction"
        for message in request.messages
        for block in message.blocks
    )
    changed = [_changed(m) for m in request.messages if m.role == "system"]
    wanted = (
        (BINDING_BETA, "block_binding" in thinking),
        (COMPACTION_BETA, compacts),
        (EFFORT_BETA, any(message.effort for message in request.messages)),
        (TOOLS_BETA, any(changed)),
        (INLINE_BETA, any("tool_definition" in kinds for kinds in changed)),
    )
    return tuple(beta for beta, used in wanted if used)


def _changed(message: Message) -> frozenset[object]:
    """How the tools are given that a message of the system offers or withdraws."""
    raws = (block.raw for block in message.blocks if isinstance(block, Opaque))
    tools = (cast("Mapping[str, object]", raw.get("tool", {})) for raw in raws)
    return frozenset(tool.get("type") for tool in tools)


def _head(request: Request, marker: Json) -> Json:
    """System prompt and tools, with one breakpoint that covers both (tools come first)."""
    tools = [_tool(tool) for tool in request.tools]
    if request.system.strip():
        system: Json = {"type": "text", "text": _encodable(request.system), "cache_control": marker}
        return {"system": [system], **({"tools": tools} if tools else {})}
    if tools:
        # Those that are shown later are no part of the prefix and may have no breakpoint.
        last = max((i for i, tool in enumerate(tools) if "defer_loading" not in tool), default=-1)
        return {
            "tools": [
                {**tool, "cache_control": marker} if i == last else tool
                for i, tool in enumerate(tools)
            ]
        }
    return {}


def _tool(tool: ToolDefinition) -> Json:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.schema),
        **({"defer_loading": True} if tool.offer == "deferred" else {}),
    }


def _sampling(request: Request, model: ModelInfo, options: ClaudeOptions, max_tokens: int) -> Json:
    """Thinking, or how words are chosen. They exclude each other; few models take the latter."""
    wanted = {
        "temperature": request.temperature,
        "top_p": request.top_p,
        "top_k": request.top_k,
    }
    chosen = {key: value for key, value in wanted.items() if value is not None}
    if chosen and model.takes_sampling:
        off = {"thinking": {"type": "disabled"}} if model.thinking == "adaptive" else {}
        return {**off, **chosen}
    thinking = _thinking(model, options, max_tokens)
    return {"thinking": thinking} if thinking else {}


def _thinking(model: ModelInfo, options: ClaudeOptions, max_tokens: int) -> Json:
    """How the model is asked to think; empty where nothing is to be said of it."""
    match model.thinking, options.thinking:
        case (("none" | "default"), _):
            return {}
        case "budget", "on":
            wanted = options.thinking_budget  # a change of it would break the cache
            budget = wanted if wanted < max_tokens else max_tokens // 2
            return {"type": "enabled", "budget_tokens": budget} if budget >= LEAST_BUDGET else {}
        case "budget", "off":
            return {}
        case "adaptive", "off":
            return {"type": "disabled"}
        case "always", "off" if model.between_tools:
            return {"type": "between_tools"}
        case (("adaptive" | "always"), _):
            return _adaptive(model)


def _adaptive(model: ModelInfo) -> Json:
    """Thinking that can be seen, and that never gets a conversation stuck.

    The default display of the newer models is "omitted", which would also hide what they write
    between tool calls. `drop_block` is the net below docs/architecture.md, law 8: a block whose
    prefix has changed is left out by the API instead of refused.
    """
    shown: Json = {"type": "adaptive", "display": "summarized"}
    if model.binds_thinking:
        shown["block_binding"] = {"prefix_mismatch_behavior": "drop_block"}
    return shown


def _message(message: Message, marked: set[int], marker: Json) -> Json:
    config = {"output_config": {"effort": message.effort}} if message.effort else {}
    if not message.blocks:
        return {"role": message.role, **config}
    content = [
        {**_block(block), "cache_control": marker} if index in marked else _block(block)
        for index, block in enumerate(message.blocks)
    ]
    return {"role": message.role, "content": content, **config}


def _block(block: Block) -> Json:
    match block:
        case Thinking(signature=data, redacted=True):
            return {"type": "redacted_thinking", "data": data}
        case Thinking(text, signature):
            return {"type": "thinking", "thinking": text, "signature": signature}
        case ToolCall(call_id, name, arguments):
            return {"type": "tool_use", "id": call_id, "name": name, "input": _clean(arguments)}
        case ToolResult():
            return _result(block)
        case Text() | Image() | Opaque():
            return _said(block)


def _said(said: Said) -> Json:
    match said:
        case Text(text):
            return {"type": "text", "text": _encodable(text)}
        case Image(media_type, data):
            source = {"type": "base64", "media_type": media_type, "data": data}
            return {"type": "image", "source": source}
        case Opaque(raw):
            return dict(raw)


def _encodable(text: str) -> str:
    """Halves of surrogate pairs, which file names and cut output can hold, are no JSON."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _clean(value: object) -> object:
    """The same for everything in a tool call's arguments."""
    match value:
        case str():
            return _encodable(value)
        case Mapping():
            entries = cast("Mapping[str, object]", value)
            return {_encodable(key): _clean(item) for key, item in entries.items()}
        case list() | tuple():
            return [_clean(item) for item in cast("Sequence[object]", value)]
        case _:
            return value


def _result(result: ToolResult) -> Json:
    """A result may have no content, but no text without words in it."""
    content = list(_worded(result.content))
    return {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        **({"content": content} if content else {}),
        **({"is_error": True} if result.failed else {}),
    }


def _worded(content: Sequence[Said]) -> Iterator[Json]:
    for said in content:
        if not (isinstance(said, Text) and not said.text.strip()):
            yield _said(said)


def closed(schema: Mapping[str, object]) -> Json:
    """The schema with `additionalProperties: false` on every object, which the API demands."""
    return cast("Json", _closed(schema))


def _closed(value: object) -> object:
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, object]", value)
        inner = {key: _closed(item) for key, item in entries.items()}
        kind = inner.get("type")
        is_object = kind == "object" or (isinstance(kind, list) and "object" in kind)
        return {**inner, "additionalProperties": False} if is_object else inner
    if isinstance(value, list | tuple):
        return [_closed(item) for item in cast("Sequence[object]", value)]
    return value
