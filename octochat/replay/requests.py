"""The requests of one play, as the prompt cache sees them: weighed blocks, and the breakpoints.

Each is made from the one before by what has changed. The places of the breakpoints are chosen by
the very function that marks real requests.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TypeAlias

from octochat.context.session.content import Block, Message, ToolCall, ToolResult
from octochat.context.session.validity import problems
from octochat.context.session.view import Note, Unit, View
from octochat.models.claude.cache import MOST, breakpoints
from octochat.models.prompt_cache import CacheBlock
from octochat.replay.weights import weigh_block


@dataclass(frozen=True, slots=True)
class WeighedRequest:
    """One request, ready for the cache."""

    parts: Sequence[CacheBlock]
    marked: tuple[int, ...]
    """Indexes of the parts that carry a marker, ascending."""
    problems: tuple[str, ...]
    """What the API would have refused."""


@dataclass(slots=True)
class BlockWeigher:
    """Parts of blocks, made once for each block however often it is sent."""

    _parts: dict[int, tuple[object, CacheBlock]] = field(
        default_factory=dict[int, tuple[object, CacheBlock]]
    )
    """By the block's identity; the block is kept, so that the identity stays its own."""

    def part(self, block: Block) -> CacheBlock:
        """The block's digest and weight."""
        key = block.content if isinstance(block, ToolResult) else block
        known = self._parts.get(id(key))
        if known is None:
            digest = blake2b(repr(key).encode("utf-8", "surrogatepass"), digest_size=8).digest()
            part = CacheBlock(int.from_bytes(digest, "big"), weigh_block(block))
            known = self._parts[id(key)] = (key, part)
        return known[1]


_End: TypeAlias = tuple[int, Message | None, int]
"""Behind a unit: how many messages there are, the last one as it was then, how many parts."""


@dataclass(slots=True)
class RequestSeries:
    """The requests of a conversation with one model. Recordings hold no thinking."""

    model: str
    weigher: BlockWeigher
    _units: list[Unit] = field(default_factory=list[Unit])
    """Those of the last request."""
    _ends: list[_End] = field(default_factory=list[_End])
    """One for each unit."""
    _messages: list[Message] = field(default_factory=list[Message])
    _starts: list[int] = field(default_factory=list[int])
    """Where each message's parts begin."""
    _parts: list[CacheBlock] = field(default_factory=list[CacheBlock])
    _fine: int = 0
    """How many of the messages were found valid and are still there."""
    _calls: set[str] = field(default_factory=set[str])
    """Ids of the tool calls in those."""

    def ask(self, view: View) -> WeighedRequest:
        """The request that the view makes."""
        # System prompt and tools stay as they are for the whole of a recording.
        head = (CacheBlock(0, view.head),) if view.head else ()
        self._go_back_to(self._shared(view), head)
        for unit in view.units[len(self._units) :]:
            for message in replace(view, units=(unit,)).messages(self.model, binds=False):
                self._add(message)
            self._units.append(unit)
            last = self._messages[-1] if self._messages else None
            self._ends.append((len(self._messages), last, len(self._parts)))
        spots = breakpoints(self._messages, self._folded(view), MOST - len(head))
        marked = sorted({*range(len(head)), *(self._starts[i] + j for i, j in spots)})
        return WeighedRequest(self._parts, tuple(marked), self._checked())

    def _shared(self, view: View) -> int:
        """How many units this request and the last one begin with alike."""
        pairs = enumerate(zip(self._units, view.units, strict=False))
        least = min(len(self._units), len(view.units))
        return next((n for n, (mine, theirs) in pairs if mine is not theirs), least)

    def _go_back_to(self, units: int, head: Sequence[CacheBlock]) -> None:
        """Keep the first units of the last request, and forget the others."""
        messages, last, parts = self._ends[units - 1] if units else (0, None, 0)
        del self._units[units:], self._ends[units:], self._messages[messages:]
        del self._starts[messages:], self._parts[parts:]
        if last:
            self._messages[-1] = last
        if not parts:
            self._parts.extend(head)
        if messages <= self._fine:
            self._fine = 0
            self._calls.clear()

    def _add(self, message: Message) -> None:
        if self._messages and self._messages[-1].role == message.role:
            blocks = self._messages[-1].blocks + message.blocks
            self._messages[-1] = Message(message.role, blocks)
        else:
            self._messages.append(message)
            self._starts.append(len(self._parts))
        self._parts.extend(map(self.weigher.part, message.blocks))

    def _checked(self) -> tuple[str, ...]:
        """What is wrong. Of what is fine all but the last message, which may grow, stays so."""
        found = problems(self._messages, self._fine, self._calls)
        if not found:
            new = self._messages[self._fine : -1]
            blocks = (block for message in new for block in message.blocks)
            self._calls.update(block.id for block in blocks if isinstance(block, ToolCall))
            self._fine = len(self._messages) - 1
        return found

    def _folded(self, view: View) -> int:
        """How many leading messages the last fold made: those up to its note."""
        notes = [n for n, u in enumerate(view.units) if isinstance(u, Note) and u.kind == "summary"]
        return self._ends[notes[-1]][0] if notes else 0
