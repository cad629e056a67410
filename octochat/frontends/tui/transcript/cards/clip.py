"""Long output: its head and its tail, and a line that says what lies between."""

import re
from collections.abc import Sequence

from textual.content import Content

from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.text.harmless import harmless

HEAD, TAIL = 20, 20
"""Lines shown of a long text."""
INDENT = Content("  ")
_NUMBER = re.compile(r"(\d+)\t")


def clipped(text: str, style: str = "", *, whole: bool, numbered: bool = False) -> Sequence[Block]:
    """A text of unknown origin as indented rows, made harmless.

    `numbered`: its lines begin with numbers and a tabulator; they stand where a change has them.
    """
    rows = _numbered if numbered else _rows
    lines = harmless(text).rstrip("\n").split("\n")
    if whole or len(lines) <= HEAD + TAIL + 1:
        return rows(lines, style)
    between = len(lines) - HEAD - TAIL
    return [
        *rows(lines[:HEAD], style),
        more(f"… {between:,} more lines; click or press m for all"),
        *rows(lines[-TAIL:], style),
    ]


def more(words: str) -> Block:
    """The line that stands for what is left out."""
    return Block(styled((words, "italic $text-primary")), lead=INDENT, hang=INDENT, action="more")


def _rows(lines: Sequence[str], style: str) -> Sequence[Block]:
    text = "\n".join(lines).expandtabs(8)
    content = Content.styled(text, style) if style else Content(text)
    return (Block(content, lead=INDENT, hang=INDENT, wrap="code"),)


def _numbered(lines: Sequence[str], style: str) -> Sequence[Block]:
    found = [_NUMBER.match(line) for line in lines]
    digits = max((len(number[1]) for number in found if number), default=0)
    blocks: list[Block] = []
    for line, number in zip(lines, found, strict=True):
        text = line[number.end() :].expandtabs(4) if number else line
        lead = f"  {number[1]:>{digits}}   " if number else "  "
        hang = Content(" " * len(lead))
        blocks.append(Block(styled((text, style)), styled((lead, FAINT)), hang, wrap="code"))
    return blocks
