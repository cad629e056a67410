"""What matters of a tool call: the one argument that tells what it does, and its input in full."""

import json
from collections.abc import Mapping, Sequence

from textual.content import Content

from octochat.context.session.content import ToolCall
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.render.code import highlighted, listing
from octochat.frontends.tui.render.diff import change, changed_lines, numbered
from octochat.text.harmless import visible

MATTERS = ("file_path", "command", "pattern", "name", "path", "url", "query")
"""Arguments in the order in which they tell what a call does."""
INDENT = Content("  ")


def argument(call: ToolCall) -> str:
    """The argument that matters, on one line."""
    found = next((str(call.arguments[key]) for key in MATTERS if key in call.arguments), None)
    if found is None:
        found = next((str(value) for value in call.arguments.values()), "")
    elif call.name in {"grep", "glob"} and (where := call.arguments.get("path")):
        found = f"{found} in {where}"
    elif span := call.arguments.get("view_range"):
        found = f"{found} {_span(span)}"
    return " ".join(visible(found).split())


def said_whole(call: ToolCall) -> bool:
    """Whether the one argument that matters is all that was asked for."""
    given = call.arguments.get("command")
    return call.name == "bash" and len(call.arguments) == 1 and given == argument(call)


def _span(value: object) -> str:
    """Lines from and to, `[10, 40]` as `10:40`."""
    return str(value).strip("[]").replace(", ", ":")


def summary(call: ToolCall, diff: str = "") -> Content:
    """The argument that matters, and for a change how many lines it adds and takes away.

    `diff` is what really changed in the file, if that is known.
    """
    added, removed = changed_lines(call, diff)
    return styled(
        argument(call),
        (f"  +{added}" if added else "", "$text-success"),
        (f"  −{removed}" if removed else "", "$text-error"),
    )


def input_blocks(call: ToolCall, diff: str = "") -> Sequence[Block]:
    """All that was asked for; of a change what really changed, if that is known."""
    if changed := numbered(diff) or change(call):
        return changed
    if call.name == "bash" and "command" in call.arguments:
        return [listing(highlighted(visible(str(call.arguments["command"])), "bash"))]
    return [_field(key, value) for key, value in call.arguments.items()]


def _field(key: str, value: object) -> Block:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Block(styled((f"{key}: ", FAINT), visible(text).expandtabs(4)), lead=INDENT, hang=INDENT)


def searchable(call: ToolCall) -> str:
    """The whole input as text."""
    return "\n".join(f"{key}: {value}" for key, value in _flat(call.arguments))


def _flat(arguments: Mapping[str, object]) -> Sequence[tuple[str, str]]:
    return [
        (key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for key, value in arguments.items()
    ]
