"""The units that a view is made of, and how one unit is cut. A unit never comes apart.

A `Step` is one reply together with the results of the tools it called, so a tool call can't lose
its result: whatever is dropped, folded or kept, the messages are valid by construction.
"""

import hashlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Literal, TypeAlias

from octochat.context.codec.trees import canonical
from octochat.context.session.asides import (
    Instructed,
    Recalled,
    Reminded,
    ToolLoaded,
    ToolWithdrawn,
)
from octochat.context.session.content import (
    Block,
    Opaque,
    Said,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.edits import PromptTrim, ResultTrim, UnitId
from octochat.context.session.events import Stop
from octochat.context.session.tags import WORK, tagged

INTERRUPTED = (Text("[interrupted: no result]"),)
"""What stands for the result of a tool that never answered."""

_BLOCKS = tuple[Block, ...]
_TOOL = ToolLoaded | ToolWithdrawn


@dataclass(frozen=True)
class Prompt:
    """Something the person said."""

    id: UnitId
    blocks: tuple[Said, ...]
    size: int

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what is sent for the unit."""
        return digest_of(canonical(self.blocks, _BLOCKS))


@dataclass(frozen=True, slots=True)
class ShownResult:
    """The result of one tool call, as it is shown."""

    result: ToolResult
    size: int
    """Tokens."""
    trimmed: bool = False
    """A strategy made it shorter; the log has the whole."""


@dataclass(frozen=True)
class Step:
    """One reply of the model, with the results of the tools it called."""

    id: UnitId
    blocks: tuple[Block, ...]
    said: int
    """Tokens of the reply itself."""
    answers: tuple[ShownResult, ...] = ()
    stop: Stop = "end_turn"
    model: str = ""
    digest: str = ""
    """The digest of the request that it answered."""

    @cached_property
    def size(self) -> int:
        """Tokens of the reply and its results."""
        return self.said + sum(answer.size for answer in self.answers)

    @cached_property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tools it called, in order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolCall))

    @property
    def waiting(self) -> frozenset[str]:
        """Ids of the calls that have no result yet."""
        return frozenset(c.id for c in self.calls) - {a.result.call_id for a in self.answers}

    @cached_property
    def results(self) -> tuple[ToolResult, ...]:
        """One result for each call, in the order of the calls."""
        given = {answer.result.call_id: answer.result for answer in self.answers}
        return tuple(
            given.get(call.id, ToolResult(call.id, INTERRUPTED, failed=True)) for call in self.calls
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what is sent for the unit, its thinking left out."""
        said = tuple(block for block in self.blocks if not isinstance(block, Thinking))
        return digest_of(canonical((*said, *self.results), _BLOCKS))


NoteKind: TypeAlias = Literal[
    "summary", "skill", "instructions", "reminder", "recalled", "mode", "effort", "tool"
]


@dataclass(frozen=True)
class Note:
    """Something octochat itself tells the model."""

    id: UnitId
    blocks: tuple[Text | Opaque, ...]
    size: int
    kind: NoteKind = "summary"
    covers: tuple[UnitId, ...] = ()
    """The units that it stands for, oldest first: what `recall` can fetch."""
    replaced: int = 0
    """Tokens that those units had when they were folded."""
    skill: str = ""
    """The skill's name, if it is the text of one."""
    setting: str = ""
    """The mode or the effort that it tells of, if it is of one of these kinds."""
    prefix_hash: str = ""
    """Of a compaction that the API signed: the hash of the system prompt and tools it holds for."""
    digest: str = ""
    """Of such a compaction: the running digest at its end, which is that of what it stands for."""
    tool: ToolLoaded | ToolWithdrawn | None = None
    """The tool that is offered or withdrawn from here on, if it is about one."""

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what is sent for the unit."""
        effort = self.setting if self.kind == "effort" else ""  # it has no blocks
        tool = canonical(self.tool, _TOOL) if self.tool else ""
        return digest_of(canonical(self.blocks, _BLOCKS) + effort + tool)


Unit: TypeAlias = Prompt | Step | Note
Units: TypeAlias = tuple[Unit, ...]


def covered(unit: Unit) -> tuple[UnitId, ...]:
    """The original units that this one stands for: itself, or all that its note folded."""
    match unit:
        case Note(kind="summary", covers=covers):
            return covers
        case Note(kind="recalled" | "reminder"):  # what it quotes is covered already
            return ()
        case Note(kind="mode" | "effort" | "tool"):  # it is told again where it still holds
            return ()
        case Prompt() | Step() | Note():
            return (unit.id,)


def signed(blocks: tuple[Text | Opaque, ...]) -> bool:
    """Whether a note is the API's own compaction, as it came."""
    return any(isinstance(b, Opaque) and b.raw.get("type") == "compaction" for b in blocks)


def readable(unit: Unit) -> Unit:
    """The unit for a model whose API knows no compaction: the words of a signed one as plain text.

    Its number, and with it all digests, stay: nothing has changed for the model that signed it.
    """
    if not isinstance(unit, Note) or not signed(unit.blocks):
        return unit
    return replace(unit, blocks=tuple(map(_in_words, unit.blocks)))


def _in_words(block: Text | Opaque) -> Text | Opaque:
    if isinstance(block, Text) or block.raw.get("type") != "compaction":
        return block
    content = block.raw.get("content")
    return Text(tagged(WORK, content if isinstance(content, str) and content else _SEALED))


_SEALED = (
    "An earlier summary can't be read by this model; `recall` fetches the messages themselves."
)


def original_size(unit: Unit) -> int:
    """Tokens of what the unit stands for: its own, or those of all that its note folded."""
    return unit.replaced if isinstance(unit, Note) and unit.kind == "summary" else unit.size


def trimmed(unit: Unit, by_call: Mapping[str, ResultTrim]) -> Unit:
    if not isinstance(unit, Step) or not any(c.id in by_call for c in unit.calls):
        return unit
    answers = tuple(
        ShownResult(
            replace(answer.result, content=(Text(trim.text),)),
            trim.size,
            trimmed=True,
        )
        if (trim := by_call.get(answer.result.call_id))
        else answer
        for answer in unit.answers
    )
    return replace(unit, answers=answers)


def without_blocks(unit: Unit, kinds: AbstractSet[str]) -> Unit:
    """The unit without blocks of the API's own of these kinds, if it is a reply.

    Thinking is bound to what stood before it, so the rest of the reply keeps it to itself.
    """
    if not isinstance(unit, Step):
        return unit
    left = [block for block in unit.blocks if kind_of_block(block) not in kinds]
    if len(left) == len(unit.blocks):
        return unit
    while left and isinstance(left[-1], Thinking):
        left.pop()
    return replace(unit, blocks=tuple(left), digest="")


def kind_of_block(block: Block) -> str:
    """The `type` of a block that octochat does not model; empty for all others."""
    return str(block.raw.get("type", "")) if isinstance(block, Opaque) else ""


def shortened(blocks: tuple[Said, ...], trim: PromptTrim) -> tuple[Said, ...]:
    """What a prompt says once it is trimmed."""
    others = () if trim.bare else (block for block in blocks if not isinstance(block, Text))
    return (Text(trim.text), *others)


def cut(unit: Unit, trim: PromptTrim | None) -> Unit:
    if trim is None or not isinstance(unit, Prompt):
        return unit
    return replace(unit, blocks=shortened(unit.blocks, trim), size=trim.size)


def scaled(unit: Unit, scale: float) -> Unit:
    """The unit as a model counts it whose tokens are `scale` to one of those it was counted in."""
    match unit:
        case Prompt():
            return replace(unit, size=ceil(unit.size * scale))
        case Step(said=said, answers=answers):
            sizes = tuple(replace(each, size=ceil(each.size * scale)) for each in answers)
            return replace(unit, said=ceil(said * scale), answers=sizes)
        case Note():
            replaced = ceil(unit.replaced * scale)
            return replace(unit, size=ceil(unit.size * scale), replaced=replaced)


def digest_of(text: str) -> str:
    """The hash that fingerprints and digests are made with."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


_ASIDES: Mapping[type, NoteKind] = {
    Recalled: "recalled",
    Instructed: "instructions",
    Reminded: "reminder",
}


def aside(id_: UnitId, size: int, event: Recalled | Instructed | Reminded) -> Note:
    """What octochat told the model of its own accord, as the model is shown it."""
    return Note(id_, (Text(event.text),), size, _ASIDES[type(event)])
