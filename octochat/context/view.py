"""What the model is shown. A view is made of units, and a unit never comes apart.

A `Step` is one reply together with the results of the tools it called, so a tool call can't lose
its result: whatever is dropped, folded or kept, the messages are valid by construction.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from octochat.context.content import (
    Block,
    Message,
    Opaque,
    Said,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.edits import Fold, Trim, UnitId
from octochat.context.events import Stop, ToolDefinition
from octochat.context.plain import canonical

INTERRUPTED = (Text("[interrupted: no result]"),)
"""What stands for the result of a tool that never answered."""

_BLOCKS = tuple[Block, ...]
_TOOLS = tuple[ToolDefinition, ...]


@dataclass(frozen=True)
class Prompt:
    """Something the person said."""

    id: UnitId
    blocks: tuple[Said, ...]
    size: int

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what is sent for the unit."""
        return _hash(canonical(self.blocks, _BLOCKS))


@dataclass(frozen=True, slots=True)
class Answer:
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
    answers: tuple[Answer, ...] = ()
    stop: Stop = "end_turn"
    model: str = ""
    digest: str = ""
    """The digest of the request that it answered."""

    @property
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
        return _hash(canonical((*said, *self.results), _BLOCKS))


NoteKind: TypeAlias = Literal["summary", "skill"]


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

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what is sent for the unit."""
        return _hash(canonical(self.blocks, _BLOCKS))


Unit: TypeAlias = Prompt | Step | Note
Units: TypeAlias = tuple[Unit, ...]


@dataclass(frozen=True)
class View:
    """System prompt, tools, and the units of the conversation."""

    system: str = ""
    tools: tuple[ToolDefinition, ...] = ()
    head: int = 0
    """Tokens of system prompt and tool definitions."""
    units: Units = ()

    @property
    def size(self) -> int:
        """Tokens, all parts together, by octochat's ruler."""
        return self.head + sum(unit.size for unit in self.units)

    @cached_property
    def seed(self) -> str:
        """Where the running hash begins: system prompt and tools."""
        return _hash(self.system + canonical(self.tools, _TOOLS))

    @property
    def digest(self) -> str:
        """The running hash over everything that a request made now would hold."""
        digest = self.seed
        for unit in self.units:
            digest = _hash(digest + unit.fingerprint)
        return digest

    def unit(self, wanted: UnitId) -> Unit | None:
        """The unit with this id, if it is in the view."""
        return next((unit for unit in self.units if unit.id == wanted), None)

    def add(self, unit: Unit) -> "View":
        """The view with one more unit at its end."""
        return replace(self, units=(*self.units, unit))

    def answer(self, answer: Answer) -> "View":
        """Attach a tool result to the latest step that waits for it; the same view if none does."""
        for i in range(len(self.units) - 1, -1, -1):
            unit = self.units[i]
            if isinstance(unit, Step) and answer.result.call_id in unit.waiting:
                step = replace(unit, answers=(*unit.answers, answer))
                return replace(self, units=(*self.units[:i], step, *self.units[i + 1 :]))
        return self

    def split(self, first: UnitId, last: UnitId) -> tuple[Units, Units, Units]:
        """The units before, within and after the run from `first` to `last`.

        Raises:
            ValueError: the view has no such run.
        """
        ids = [unit.id for unit in self.units]
        i, j = ids.index(first), ids.index(last) + 1
        if j <= i:
            raise ValueError(f"no run of units from {first} to {last}")
        return self.units[:i], self.units[i:j], self.units[j:]

    def folded(self, fold: Fold, note: UnitId, size: int, answering: UnitId | None) -> "View":
        """The run as a note of `size` tokens. Order: note, kept units, the prompt being answered.

        (What is kept behind the last folded unit stays where it was: it came after the prompt.)

        Raises:
            ValueError: the view has no such run.
        """
        before, run, after = self.split(fold.first, fold.last)
        gone = tuple(unit for unit in run if unit.id not in fold.keep)
        end = max(
            (i for i, unit in enumerate(run) if unit.id not in fold.keep and not _skill(unit)),
            default=0,
        )
        kept = tuple(unit for unit in run[:end] if unit.id in fold.keep)
        asked = tuple(unit for unit in kept if unit.id == answering)
        others = tuple(unit for unit in kept if unit.id != answering)
        rest = tuple(unit for unit in run[end:] if unit.id in fold.keep)
        covers = tuple(sorted(_covered(gone)))
        made = Note(note, fold.note, size, covers=covers, replaced=sum(map(original_size, gone)))
        return replace(self, units=(*before, made, *others, *asked, *rest, *after))

    def trimmed(self, trims: Iterable[Trim]) -> "View":
        """The view with some tool results shortened."""
        by_call = {trim.call_id: trim for trim in trims}
        if not by_call:
            return self
        return replace(self, units=tuple(_trimmed(unit, by_call) for unit in self.units))

    def messages(self, model: str, *, binds: bool) -> tuple[Message, ...]:
        """The view as alternating messages that the API takes.

        Thinking goes back only to the model that wrote it, and, where that model `binds` thinking
        to what came before it, only if the running digest at its place is the one that its request
        had ("Preserved thinking"). What was left out when a later reply was made is left out now
        too, because both follow from the same digests.
        """
        merged: list[Message] = []
        digest = self.seed
        for unit in self.units:
            for message in _messages(unit, _thinks(unit, model, digest if binds else None)):
                if merged and merged[-1].role == message.role:
                    merged[-1] = Message(message.role, merged[-1].blocks + message.blocks)
                else:
                    merged.append(message)
            digest = _hash(digest + unit.fingerprint)
        return tuple(merged)


def covered(unit: Unit) -> tuple[UnitId, ...]:
    """The original units that this one stands for: itself, or all that its note folded."""
    match unit:
        case Note(kind="summary", covers=covers):
            return covers
        case Prompt() | Step() | Note():
            return (unit.id,)


def original_size(unit: Unit) -> int:
    """Tokens of what the unit stands for: its own, or those of all that its note folded."""
    return unit.replaced if isinstance(unit, Note) and unit.kind == "summary" else unit.size


def _skill(unit: Unit) -> bool:
    return isinstance(unit, Note) and unit.kind == "skill"


def _covered(units: Units) -> set[UnitId]:
    return {original for unit in units for original in covered(unit)}


def _trimmed(unit: Unit, by_call: Mapping[str, Trim]) -> Unit:
    if not isinstance(unit, Step) or not any(c.id in by_call for c in unit.calls):
        return unit
    answers = tuple(
        Answer(
            replace(answer.result, content=(Text(trim.text),)),
            trim.size,
            trimmed=True,
        )
        if (trim := by_call.get(answer.result.call_id))
        else answer
        for answer in unit.answers
    )
    return replace(unit, answers=answers)


def _thinks(unit: Unit, model: str, digest: str | None) -> bool:
    """Whether the unit's thinking may be sent (`digest` is None for a model that doesn't bind)."""
    return isinstance(unit, Step) and unit.model == model and digest in (None, unit.digest)


def _messages(unit: Unit, thinks: bool) -> Iterator[Message]:
    match unit:
        case Note(blocks=blocks) | Prompt(blocks=blocks):
            yield Message("user", blocks)
        case Step():
            said = tuple(b for b in unit.blocks if thinks or not isinstance(b, Thinking))
            if said:
                yield Message("assistant", said)
            if unit.results:
                yield Message("user", unit.results)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
