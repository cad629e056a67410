"""Changes to files, as coloured lines."""

from collections.abc import Iterable, Sequence
from difflib import unified_diff

from textual.content import Content

from octochat.context.content import ToolCall
from octochat.terminal import visible
from octochat.tui.page import Block, styled

CHANGES = {"edit", "write"}
"""Tools whose calls are shown as a diff."""
LOOK = {
    "+": ("$text-success", "on $success 12%"),
    "-": ("$text-error", "on $error 12%"),
    "@": ("$text-primary", ""),
}
INDENT = Content("  ")


def change(call: ToolCall) -> Sequence[Block]:
    """What an `edit` or a `write` changes, as a diff; nothing for other tools."""
    return diff_blocks(_lines(call))


def changed_lines(call: ToolCall) -> tuple[int, int]:
    """How many lines an `edit` or a `write` adds and takes away."""
    lines = _lines(call)
    return sum(x[:1] == "+" for x in lines), sum(x[:1] == "-" for x in lines)


def diff_blocks(lines: Iterable[str]) -> Sequence[Block]:
    """A unified diff, without its file header, coloured by line."""
    blocks: list[Block] = []
    for line in lines:
        style, ground = LOOK.get(line[:1], ("", ""))
        text = visible(line).expandtabs(4)
        blocks.append(
            Block(
                styled((text[1:], style) if style else text[1:]),
                lead=styled(("  " + (line[:1] or " ") + " ", style or "$foreground")),
                hang=Content("    "),
                fill=ground,
                wrap="cells",
            )
        )
    return blocks


def _lines(call: ToolCall) -> list[str]:
    arguments = call.arguments
    if call.name == "edit":
        old, new = arguments.get("old_string"), arguments.get("new_string")
    elif call.name == "write":
        old, new = "", arguments.get("content")
    else:
        return []
    if not isinstance(old, str) or not isinstance(new, str):
        return []
    made = unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3)
    return [line for line in made if not line.startswith(("---", "+++", "@@"))]
