"""Recorded messages, role by role, as moments: what every message-shaped format has in common.

Calls and results are matched here: a result that nothing asked for is named and left out, and
a result that never came is left for the view to fill in. Thinking is left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from octochat.context.session.content import (
    Block,
    Image,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.events import Prompted, Replied, Returned
from octochat.replay.recording import Moment


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """One recorded message."""

    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...]
    by_person: bool = False
    """It holds text that a person wrote."""
    at: float | None = None
    """Seconds since the epoch."""
    place: str = ""
    """Where it stands, for people: `line 12`."""
    index: int | None = None
    """Its number among the messages of the file, from 0, where the format counts them."""


@dataclass(slots=True)
class MomentReader:
    """Turns on their way to moments, and what was wrong with them."""

    faults: list[str] = field(default_factory=list[str])
    _open: set[str] = field(default_factory=set[str])
    """Ids of the calls that may still be answered."""
    _begun: bool = False

    def moments(self, turns: Iterable[RecordedMessage]) -> Iterator[Moment]:
        """The turns as moments; `faults` fills while they are drawn."""
        for turn in turns:
            if turn.role == "assistant":
                yield from self._reply(turn)
            else:
                yield from self._said(turn)

    def _reply(self, turn: RecordedMessage) -> Iterator[Moment]:
        # Thinking is bound to requests that are not made again, so it can't be sent here.
        blocks = tuple(b for b in turn.blocks if not isinstance(b, ToolResult | Thinking))
        if not self._begun or not blocks:
            why = "an empty reply" if self._begun else "a reply before the first user message"
            self.faults.append(f"{turn.place}: left out {why}")
            return
        self._open = {block.id for block in blocks if isinstance(block, ToolCall)}
        yield Moment(
            Replied(blocks, "tool_use" if self._open else "end_turn"), turn.at, message=turn.index
        )

    def _said(self, turn: RecordedMessage) -> Iterator[Moment]:
        results = list(self._results(turn))
        said = tuple(block for block in turn.blocks if isinstance(block, Text | Image | Opaque))
        if results and said and not turn.by_person:
            # What a program wrote beside a result (a reminder, say) belongs to the result.
            last = results[-1]
            results[-1] = Returned(last.call_id, (*last.content, *said), last.failed)
            said = ()
        for result in results:
            yield Moment(result, turn.at, message=turn.index)
        if said:
            self._begun = True
            yield Moment(Prompted(said), turn.at, turn.by_person, turn.index)

    def _results(self, turn: RecordedMessage) -> Iterator[Returned]:
        for block in turn.blocks:
            if not isinstance(block, ToolResult):
                continue
            if block.call_id in self._open:
                self._open.discard(block.call_id)
                yield Returned(block.call_id, block.content, block.failed)
            else:
                self.faults.append(f"{turn.place}: left out a result that no call asked for")
