"""Where a request's cache breakpoints go. It knows blocks and places, not how they are sent.

The cache holds exact prefixes, one per breakpoint of an earlier request. A breakpoint finds an
entry at its own block or at one of the 19 before it; what follows the entry is written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from octochat.context.content import Message, Thinking

MOST = 4
"""Breakpoints that a request may have in all."""

LONG_TURN = 15
"""Blocks between two breakpoints from which on one more goes in between, well within the 20 that
the API looks back."""

Place: TypeAlias = tuple[int, int]
"""Index of a message, and of a block in it."""


@dataclass(frozen=True, slots=True)
class _Spot:
    place: Place
    markable: bool
    """Breakpoints on thinking are refused."""


def breakpoints(messages: Sequence[Message], folded: int, most: int) -> frozenset[Place]:
    """The blocks to mark, `most` at the most, the most useful ones first.

    1. The end of this request, which is where the next one will read from.
    2. The end of the request before: everything up to the last reply. It is an exact hit, however
       many blocks a reply with parallel tool calls and its results have added since.
    3. The end of what a fold made (the first `folded` messages), which outlives edits to the tail.
    4. Where a turn adds more than 15 blocks, one within it: a later edit to the turn's end, or an
       entry that is gone, then costs a part of the turn and not the whole.
    """
    spots = list(_spots(messages))
    end = _last(spots, len(messages))
    before = _last(spots, _reply_begins(messages))
    wanted = [end, before, _last(spots, folded), _between(spots, before, end)]
    chosen: list[Place] = []
    for index in wanted:
        if index is not None and spots[index].place not in chosen:
            chosen.append(spots[index].place)
    return frozenset(chosen[:most])


def _spots(messages: Sequence[Message]) -> Iterator[_Spot]:
    for number, message in enumerate(messages):
        for index, block in enumerate(message.blocks):
            yield _Spot((number, index), markable=not isinstance(block, Thinking))


def _reply_begins(messages: Sequence[Message]) -> int:
    """The index of the last reply's first message; 0 if there is none."""
    begins = next((i for i in reversed(range(len(messages))) if _is_reply(messages[i])), 0)
    while begins > 0 and _is_reply(messages[begins - 1]):
        begins -= 1
    return begins


def _is_reply(message: Message) -> bool:
    return message.role == "assistant"


def _last(spots: Sequence[_Spot], messages: int) -> int | None:
    """The last markable block of the first so many messages."""
    found = [i for i, spot in enumerate(spots) if spot.markable and spot.place[0] < messages]
    return found[-1] if found else None


def _between(spots: Sequence[_Spot], before: int | None, end: int | None) -> int | None:
    """A markable block at most 15 after `before`, where `end` is farther away than that."""
    if before is None or end is None or end - before <= LONG_TURN:
        return None
    reach = range(before + LONG_TURN, before, -1)
    return next((index for index in reach if spots[index].markable), None)
