"""What is seen of a card without opening it: the last lines of a text, the first of a change."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from octochat.frontends.shared import outcomes
from octochat.frontends.shared.changes import Change
from octochat.frontends.tui.render.blocks import FAINT, Block, Wrap, cells, styled
from octochat.frontends.tui.render.diff import drawn
from octochat.frontends.tui.transcript.cards.clip import INDENT
from octochat.text.figures import count
from octochat.text.harmless import harmless

ROWS = 3
"""Rows that one line may take; of a longer one the beginning is shown."""


def last_lines(
    text: str, most: int, style: str, width: int, *, printed: bool = True
) -> Sequence[Block]:
    """The last lines of what a tool `printed` or has to say, after how many stand before them."""
    before, last = outcomes.last_lines(text, most)
    lines = harmless(last).expandtabs(8).split("\n")
    shown = [Block(styled((line, style)), INDENT, INDENT) for line in lines]
    wrap: Wrap = "code" if printed else "words"
    return [*_left_out(before), *_bounded(shown, width, wrap)] if last.strip() else []


def first_lines(change: Change, most: int, width: int) -> Sequence[Block]:
    """The first lines of a change, and how many follow."""
    total = len(change.lines)
    shown = total if total <= most + 1 else most
    return [*_bounded(drawn(change, shown), width), *_left_out(total - shown)]


def _left_out(lines: int) -> Sequence[Block]:
    if not lines:
        return ()
    words = styled((f"… {count(lines, 'more line')}", FAINT))
    return (Block(words, INDENT, INDENT, wrap="cut", action="toggle"),)


def _bounded(blocks: Iterable[Block], width: int, wrap: Wrap = "code") -> Iterable[Block]:
    """Each of the blocks in a few rows; a click on any opens the card."""
    for block in blocks:
        room = max(width - cells(block.lead), 1)
        long = cells(block.text) > ROWS * room
        yield replace(block, wrap="cut" if long else wrap, action="toggle")
