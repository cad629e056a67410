"""A view as the prompt cache sees it: weighed blocks, and the places of the breakpoints.

The places are chosen by the very function that marks real requests.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from octochat.context.session.content import Block, Message, ToolResult
from octochat.context.session.view import Note, View
from octochat.models.claude.cache import MOST, breakpoints
from octochat.replay.cache import CacheBlock
from octochat.replay.weights import weigh_block


@dataclass(frozen=True, slots=True)
class WeighedRequest:
    """One request, ready for the cache."""

    messages: tuple[Message, ...]
    parts: tuple[CacheBlock, ...]
    marked: tuple[int, ...]
    """Indexes of the parts that carry a marker, ascending."""


@dataclass(slots=True)
class RequestWeigher:
    """Parts of blocks, made once for each block however often it is sent."""

    _parts: dict[int, tuple[object, CacheBlock]] = field(
        default_factory=dict[int, tuple[object, CacheBlock]]
    )
    """By the block's identity; the block is kept, so that the identity stays its own."""

    def weighed_request(self, view: View, model: str) -> WeighedRequest:
        """The request that the view makes. Recordings hold no thinking, so none is bound."""
        messages = view.messages(model, binds=False)
        # System prompt and tools stay as they are for the whole of a recording.
        head = () if not view.head else (CacheBlock(0, view.head),)
        parts = [*head]
        starts: list[int] = []
        for message in messages:
            starts.append(len(parts))
            parts.extend(map(self.part, message.blocks))
        spots = breakpoints(messages, _folded(view, messages), MOST - len(head))
        marked = sorted({*range(len(head)), *(starts[i] + j for i, j in spots)})
        return WeighedRequest(messages, tuple(parts), tuple(marked))

    def part(self, block: Block) -> CacheBlock:
        """The block's digest and weight."""
        key = block.content if isinstance(block, ToolResult) else block
        known = self._parts.get(id(key))
        if known is None:
            digest = blake2b(repr(key).encode("utf-8", "surrogatepass"), digest_size=8).digest()
            part = CacheBlock(int.from_bytes(digest, "big"), weigh_block(block))
            known = self._parts[id(key)] = (key, part)
        return known[1]


def _folded(view: View, messages: Sequence[Message]) -> int:
    """How many leading messages the last fold made: those up to its note."""
    notes = [u for u in view.units if isinstance(u, Note) and u.kind == "summary"]
    if not notes:
        return 0
    last = notes[-1].blocks[-1]
    return next((i + 1 for i, m in enumerate(messages) if any(b is last for b in m.blocks)), 0)
