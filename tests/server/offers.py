"""Which tools the model sees: those that are declared, deferred, shown, offered and withdrawn.

Pure: a body -> what is wrong with its tools, what a block shows, and what may be called at its end.
"""

from collections.abc import Iterator
from typing import Any

from tests.server.models import ServedModel
from tests.server.refusal import ApiRefusal, Json
from tests.server.shapes import is_list, refuse
from tests.server.turns import Placed, placed

TOOLS_BETA = "mid-conversation-tool-changes-2026-07-01"
INLINE_BETA = "inline-tools-2026-09-15"
CHANGES = ("tool_addition", "tool_removal")


def check_offers(body: Json, model: ServedModel, betas: frozenset[str]) -> None:
    """Refuse what can't be shown: an unresolved reference, a marker on what is deferred.

    Raises:
        ApiRefusal: 400, naming the place.
    """
    tools: list[Json] = body.get("tools", [])
    for index, tool in enumerate(tools):
        if not tool.get("defer_loading"):
            continue
        if not model.loads_tools:
            raise refuse(f"tools.{index}.defer_loading", "not supported on this model")
        if tool.get("cache_control") is not None:
            raise refuse(
                f"tools.{index}", "a tool with defer_loading=true cannot have cache_control set"
            )
    if tools and all(tool.get("defer_loading") for tool in tools):
        raise refuse("tools", "at least one tool must have defer_loading=false")
    known = {tool["name"] for tool in tools}
    for block in placed(body["messages"]):
        _check_block(block, known, betas)


def offered(body: Json) -> dict[str, Json]:
    """The tools that the model may call at the end of a request, by name."""
    every: dict[str, Json] = {tool["name"]: tool for tool in body.get("tools", [])}
    now = {name: tool for name, tool in every.items() if not tool.get("defer_loading")}
    for block in placed(body["messages"]):
        for name in _references(block.block):
            now[name] = every[name]
        if block.kind not in CHANGES:
            continue
        tool = block.block["tool"]
        if tool["type"] == "tool_definition":
            every[tool["definition"]["name"]] = now[tool["definition"]["name"]] = tool["definition"]
        elif block.kind == "tool_addition":
            now[tool["name"]] = every[tool["name"]]
        else:
            now.pop(tool["name"], None)
    return now


def shown_by(block: Json, body: Json) -> Iterator[Json]:
    """The declared tools that a block shows, which are priced where they are shown."""
    declared: dict[str, Json] = {tool["name"]: tool for tool in body.get("tools", [])}
    yield from (declared[name] for name in _references(block))
    if block.get("type") == "tool_addition" and block["tool"]["type"] == "tool_reference":
        tool = declared.get(block["tool"]["name"])
        if tool is not None:
            yield tool


def _check_block(block: Placed, known: set[str], betas: frozenset[str]) -> None:
    for name in _references(block.block):
        if name not in known:
            raise refuse(block.path, f"Tool reference '{name}' not found in available tools")
    if block.kind not in CHANGES:
        return
    if TOOLS_BETA not in betas:
        raise refuse(block.path, f"`{block.kind}` blocks need the beta header {TOOLS_BETA}")
    tool = block.block["tool"]
    if tool["type"] == "tool_definition":
        if INLINE_BETA not in betas:
            raise refuse(block.path, f"`tool_definition` needs the beta header {INLINE_BETA}")
        if tool["definition"]["input_schema"].get("type") != "object":
            raise refuse(f"{block.path}.tool.definition.input_schema.type", "should be 'object'")
        known.add(tool["definition"]["name"])
    elif tool["name"] not in known:
        raise ApiRefusal(f"{block.path}: Tool '{tool['name']}' is not declared")


def _references(block: Json) -> Iterator[str]:
    content: Any = block.get("content") if block.get("type") == "tool_result" else None
    for part in content if is_list(content) else ():
        if part["type"] == "tool_reference":
            yield part["tool_name"]
