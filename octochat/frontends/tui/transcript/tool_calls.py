"""What matters of a tool call: the one argument that tells what it does, and its input in full."""

import json
from collections.abc import Mapping, Sequence

from textual.content import Content

from octochat.context.session.content import ToolCall
from octochat.frontends.shared.changes import Change
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.render.code import highlighted, listing
from octochat.frontends.tui.render.diff import drawn
from octochat.text.harmless import visible
from octochat.tools.facts import facts_of

INDENT = Content("  ")


def argument(call: ToolCall) -> str:
    """The argument that matters, on one line."""
    return " ".join(visible(facts_of(call).summary(call)).split())


def said_whole(call: ToolCall) -> bool:
    """Whether the one argument that matters is all that was asked for."""
    source = facts_of(call).source(call)
    return bool(source) and len(call.arguments) == 1 and source == argument(call)


def summary(call: ToolCall, change: Change) -> Content:
    """The argument that matters, and for a change how many lines it adds and takes away."""
    added, removed = change.counts
    return styled(
        argument(call),
        (f"  +{added}" if added else "", "$text-success"),
        (f"  −{removed}" if removed else "", "$text-error"),
    )


def input_blocks(call: ToolCall, change: Change) -> Sequence[Block]:
    """All that was asked for; of a change what really changed, if that is known."""
    if change.lines:
        return drawn(change)
    facts = facts_of(call)
    if source := facts.source(call):
        return [listing(highlighted(visible(source), facts.language))]
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
