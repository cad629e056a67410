"""JSON of a Messages request -> nothing, or the refusal that the API would answer with.

Pure: knows no signatures, no cache and no network.
"""

from collections.abc import Mapping
from typing import Any

from tests.server.conversation import check_conversation, check_text
from tests.server.grammar import COUNT_REQUEST, REQUEST
from tests.server.models import ServedModel
from tests.server.offers import check_offers
from tests.server.refusal import ApiRefusal, Json, part
from tests.server.shapes import is_list, is_object, refuse
from tests.server.turns import THOUGHTS, Turn, blocks_of, placed

BINDING_BETA = "thinking-binding-controls-2026-08-01"
COMPACT_BETA = "compact-2026-09-04"
EFFORT_BETA = "mid-conversation-output-config-2026-07-01"
LEAST_BUDGET = 1024
MOST_MARKERS = 4


def validate(
    body: Any, models: Mapping[str, ServedModel], betas: frozenset[str] = frozenset()
) -> ServedModel:
    """Check a request for `POST /v1/messages`.

    Raises:
        ApiRefusal: what the API answers.
    """
    REQUEST(body, "")
    model = _common(body, models, betas)
    _check_max_tokens(body, model)
    _check_sampling(body, model)
    return model


def validate_count(
    body: Any, models: Mapping[str, ServedModel], betas: frozenset[str] = frozenset()
) -> ServedModel:
    """Check a request for `POST /v1/messages/count_tokens`."""
    COUNT_REQUEST(body, "")
    return _common(body, models, betas)


def _common(body: Json, models: Mapping[str, ServedModel], betas: frozenset[str]) -> ServedModel:
    model = models.get(body["model"])
    if model is None:
        raise ApiRefusal(f"model: {body['model']}", status=404)
    _check_unicode(body, "body")
    _check_betas(body, betas)
    _check_compaction_end(body)
    spoken = check_conversation(body["messages"])
    _check_roles(body, model, spoken)
    _check_system(body)
    _check_tools(body)
    check_offers(body, model, betas)
    _check_thinking(body, model)
    _check_tool_choice(body, model)
    _check_markers(body)
    if part(body, "output_config").get("effort") and not model.efforts:
        raise refuse("output_config.effort", "not supported on this model")
    schema = part(body, "output_config").get("format")
    if schema:
        check_closed(schema["schema"], "output_config.format.schema")
    return model


def _check_unicode(value: Any, path: str) -> None:
    """Lone surrogates are no text."""
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise ApiRefusal("The request body is not valid JSON: no low surrogate in string")
    elif is_object(value):
        for key, item in value.items():
            _check_unicode(key, path)
            _check_unicode(item, path)
    elif is_list(value):
        for item in value:
            _check_unicode(item, path)


def _check_betas(body: Json, betas: frozenset[str]) -> None:
    """What a beta brought is an unknown key without its header."""
    if body.get("compaction") is not None and COMPACT_BETA not in betas:
        raise refuse("compaction", "Extra inputs are not permitted")
    if "block_binding" in body.get("thinking", {}) and BINDING_BETA not in betas:
        raise refuse("thinking.block_binding", "Extra inputs are not permitted")
    for index, message in enumerate(body["messages"]):
        if "output_config" in message and EFFORT_BETA not in betas:
            raise refuse(f"messages.{index}.output_config", "Extra inputs are not permitted")
    for block in placed(body["messages"]):
        if block.kind == "compaction" and COMPACT_BETA not in betas:
            raise refuse(block.path, "`compaction` blocks need the beta header compact-2026-09-04")


def _check_compaction_end(body: Json) -> None:
    """What is summarised does not end in the middle of a tool call."""
    blocks = placed(body["messages"])
    if body.get("compaction") is not None and blocks and blocks[-1].kind == "tool_use":
        raise ApiRefusal(
            "messages: the last assistant turn is not finished", code="compaction_incomplete_turn"
        )


def _check_roles(body: Json, model: ServedModel, spoken: list[Turn]) -> None:
    if not model.system_messages:
        for index, message in enumerate(body["messages"]):
            if message["role"] == "system":
                raise refuse(f"messages.{index}", "role 'system' is not supported on this model")
    if body.get("compaction") is not None:
        if not model.compacts:
            raise refuse("compaction", "not supported on this model")
        if all(block.kind == "compaction" for turn in spoken for block in turn.blocks):
            raise ApiRefusal(
                "messages: nothing to summarize", code="compaction_nothing_to_summarize"
            )
        return
    if spoken[-1].role == "user":
        return
    if not model.prefill:
        raise ApiRefusal(
            "This model does not support assistant message prefill. The conversation must end"
            " with a user message."
        )
    last = spoken[-1].blocks[-1].block
    if last["type"] == "text" and last["text"] != last["text"].rstrip():
        raise refuse("messages", "final assistant content cannot end with trailing whitespace")


def _check_system(body: Json) -> None:
    if body.get("system"):
        for index, block in enumerate(blocks_of(body["system"])):
            check_text(block["text"], f"system.{index}")


def _check_tools(body: Json) -> None:
    names: set[str] = set()
    for index, tool in enumerate(body.get("tools", [])):
        if tool["name"] in names:
            raise refuse("tools", "Tool names must be unique.")
        names.add(tool["name"])
        if tool["input_schema"].get("type") != "object":
            raise refuse(f"tools.{index}.input_schema.type", "Input should be 'object'")
        if tool.get("strict"):
            check_closed(tool["input_schema"], f"tools.{index}.input_schema")


def check_closed(schema: Any, path: str) -> None:
    """Every object in a schema for structured output says `additionalProperties: false`."""
    if is_list(schema):
        for index, item in enumerate(schema):
            check_closed(item, f"{path}.{index}")
        return
    if not is_object(schema):
        return
    kind = schema.get("type")
    is_closed = schema.get("additionalProperties") is False
    if (kind == "object" or (is_list(kind) and "object" in kind)) and not is_closed:
        raise refuse(
            path,
            "For 'object' type, 'additionalProperties' must be explicitly set to false",
        )
    for key, item in schema.items():
        if key in {"properties", "$defs", "definitions"} and is_object(item):
            for name, inner in item.items():
                check_closed(inner, f"{path}.{key}.{name}")
        elif key not in {"enum", "const", "default", "examples", "required"}:
            check_closed(item, f"{path}.{key}")


def thinks(body: Json, model: ServedModel) -> bool:
    """Whether the model may think in its answer to this request."""
    config = body.get("thinking")
    return model.thinks_unasked if config is None else config["type"] != "disabled"


def _check_thinking(body: Json, model: ServedModel) -> None:
    config = body.get("thinking")
    if config is None:
        return
    if config["type"] not in model.thinking:
        raise ApiRefusal(
            f"thinking.type: {config['type']} is not supported on this model; it takes"
            f" {', '.join(model.thinking)}"
        )
    if config["type"] != "enabled":
        return
    if config["budget_tokens"] < LEAST_BUDGET:
        raise refuse(
            "thinking.enabled.budget_tokens",
            f"Input should be greater than or equal to {LEAST_BUDGET}",
        )
    if config["budget_tokens"] >= body.get("max_tokens", float("inf")):
        raise ApiRefusal("`max_tokens` must be greater than `thinking.budget_tokens`")


def _check_tool_choice(body: Json, model: ServedModel) -> None:
    choice = body.get("tool_choice")
    if choice is None:
        return
    names: list[str] = [tool["name"] for tool in body.get("tools", [])]
    if not names:
        raise ApiRefusal("tool_choice may only be specified while providing tools.")
    if choice["type"] not in {"any", "tool"}:
        return
    if model.binds:
        raise refuse("tool_choice", "forced tool use is not supported on this model")
    if thinks(body, model):
        raise ApiRefusal("Thinking may not be enabled when tool_choice forces tool use.")
    if choice["type"] == "tool" and choice["name"] not in names:
        raise refuse("tool_choice", f"Tool '{choice['name']}' not found in provided tools")


def _check_markers(body: Json) -> None:
    """At most four, none on thinking, a longer lifetime never after a shorter."""
    marked: list[Json] = [
        *body.get("tools", []),
        *(blocks_of(body["system"]) if body.get("system") else []),
        *(block.block for block in placed(body["messages"])),
    ]
    last: Json | None = marked[-1].get("cache_control")
    for block in marked:
        if block.get("type") in THOUGHTS and "cache_control" in block:
            raise refuse("messages", "cache_control cannot be set on thinking blocks")
    markers: list[Json] = [
        block["cache_control"] for block in marked if block.get("cache_control") is not None
    ]
    automatic: Json | None = body.get("cache_control")
    if automatic is not None and last is None:
        markers.append(automatic)
    elif automatic and last and last.get("ttl", "5m") != automatic.get("ttl", "5m"):
        raise refuse("cache_control", "the last block has a marker with another ttl")
    if len(markers) > MOST_MARKERS:
        raise ApiRefusal(
            f"A maximum of 4 blocks with cache_control may be provided. Found {len(markers)}."
        )
    lifetimes = [marker.get("ttl", "5m") for marker in markers]
    if "1h" in lifetimes[lifetimes.index("5m") if "5m" in lifetimes else len(lifetimes) :]:
        raise refuse(
            "cache_control",
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block",
        )


def _check_max_tokens(body: Json, model: ServedModel) -> None:
    if body["max_tokens"] < 0:
        raise refuse("max_tokens", "Input should be greater than or equal to 0")
    if body["max_tokens"] > model.max_tokens:
        raise refuse(
            "max_tokens",
            f"{body['max_tokens']} > {model.max_tokens}, which is the maximum allowed number of"
            f" output tokens for {model.id}",
        )


def _check_sampling(body: Json, model: ServedModel) -> None:
    given = [name for name in ("temperature", "top_p", "top_k") if name in body]
    if given and not model.samples:
        raise ApiRefusal(f"`{given[0]}` is deprecated for this model.")
    if "temperature" in given and "top_p" in given:
        raise ApiRefusal(
            "`temperature` and `top_p` cannot both be specified for this model. Please use only"
            " one."
        )
    for name in {"temperature", "top_p"} & set(given):
        if not 0 <= body[name] <= 1:
            raise refuse(name, "Input should be between 0 and 1")
    if body.get("top_k", 0) < 0:
        raise refuse("top_k", "Input should be greater than or equal to 0")
    if given and thinks(body, model) and (given != ["temperature"] or body["temperature"] != 1):
        raise ApiRefusal(
            "`temperature` may only be set to 1, and `top_p` and `top_k` not at all, when"
            " thinking is enabled."
        )
