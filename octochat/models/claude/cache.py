"""Where a request's cache breakpoints go. It knows blocks and places, not how they are sent.

The cache holds exact prefixes, one per breakpoint of an earlier request. A breakpoint finds an
entry at its own block or at one of the 19 before it; what follows the entry is written.
"""

from collections.abc import Sequence
from typing import TypeAlias

from octochat.context.session.content import Block, Message, Thinking

MOST = 4
"""Breakpoints that a request may have in all."""

LONG_TURN = 15
"""Blocks between two breakpoints from which on one more goes in between, well within the 20 that
the API looks back."""

Place: TypeAlias = tuple[int, int]
"""Index of a message, and of a block in it."""


def breakpoints(messages: Sequence[Message], folded: int, most: int) -> frozenset[Place]:
    """The blocks to mark, `most` at the most, the most useful ones first.

    1. The end of this request, which is where the next one will read from.
    2. The end of the request before: everything up to the last reply. It is an exact hit, however
       many blocks a reply with parallel tool calls and its results have added since.
    3. The end of what a fold made (the first `folded` messages), which outlives edits to the tail.
    4. Where a turn adds more than 15 blocks, one within it: a later edit to the turn's end, or an
       entry that is gone, then costs a part of the turn and not the whole.
    """
    end = _last(messages, len(messages))
    before = _last(messages, _last_reply(messages))
    wanted = (end, before, _last(messages, folded), _between(messages, before, end))
    chosen = dict.fromkeys(place for place in wanted if place is not None)
    return frozenset(list(chosen)[:most])


def _last_reply(messages: Sequence[Message]) -> int:
    """The index of the last reply, which is one message; 0 if there is none."""
    numbers = reversed(range(len(messages)))
    return next((number for number in numbers if messages[number].role == "assistant"), 0)


def _last(messages: Sequence[Message], count: int) -> Place | None:
    """The last markable block of the first `count` messages."""
    for number in reversed(range(count)):
        if messages[number].role == "system":  # the next request has it further on, or nowhere
            continue
        blocks = messages[number].blocks
        for index in reversed(range(len(blocks))):
            if _markable(blocks[index]):
                return number, index
    return None


def _between(messages: Sequence[Message], before: Place | None, end: Place | None) -> Place | None:
    """The last markable block up to 15 after `before`: `end` itself where that is no farther."""
    if before is None or end is None:
        return None
    behind = [
        (number, index)
        for number in range(before[0], end[0] + 1)
        for index in range(len(messages[number].blocks))
        if before < (number, index) <= end
    ]
    reach = reversed(behind[:LONG_TURN])
    return next((p for p in reach if _markable(messages[p[0]].blocks[p[1]])), None)


def _markable(block: Block) -> bool:
    """Breakpoints on thinking are refused."""
    return not isinstance(block, Thinking)
