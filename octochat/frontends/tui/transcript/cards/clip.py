"""Long output: its head and its tail, and a line that says what lies between."""

from collections.abc import Sequence

from textual.content import Content

from octochat.frontends.tui.render.blocks import Block, styled
from octochat.text.harmless import harmless

HEAD, TAIL = 20, 20
"""Lines shown of a long text."""
INDENT = Content("  ")


def clipped(text: str, style: str = "", *, whole: bool) -> Sequence[Block]:
    """A text of unknown origin as indented rows, made harmless."""
    lines = harmless(text).expandtabs(8).rstrip("\n").split("\n")
    if whole or len(lines) <= HEAD + TAIL + 1:
        return [_rows("\n".join(lines), style)]
    between = len(lines) - HEAD - TAIL
    return [
        _rows("\n".join(lines[:HEAD]), style),
        more(f"… {between:,} more lines; click or press m for all"),
        _rows("\n".join(lines[-TAIL:]), style),
    ]


def more(words: str) -> Block:
    """The line that stands for what is left out."""
    return Block(styled((words, "italic $text-primary")), lead=INDENT, hang=INDENT, action="more")


def _rows(text: str, style: str) -> Block:
    content = Content.styled(text, style) if style else Content(text)
    return Block(content, lead=INDENT, hang=INDENT, wrap="cells")
