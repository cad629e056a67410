"""Future-reference recall: of what the recorded agent used later, how much was still there.

An identifier (a path, an id, a number with its unit ...) counts when the agent wrote it, in text
or in the arguments of a tool, after it had come up before. It was in the context if the view of
that call held it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from octochat.context.notes.identifiers import Identifier, identifiers
from octochat.context.session.content import Block, Text, ToolCall, ToolResult
from octochat.context.session.events import Entry, Opened, Prompted, Replied, Returned
from octochat.context.session.view import Note, Prompt, Step, Unit, Units

FAR = 10
"""Units after which a reference is far: it was last seen more than so many units ago."""


@dataclass(frozen=True, slots=True)
class Use:
    """One identifier that the recorded agent used again."""

    call: int
    """Which call of the model, counted from 0."""
    name: Identifier
    distance: int
    """Units since it was last seen, by the agent's own replies or anybody else."""

    @property
    def far(self) -> bool:
        """Whether it was last seen long ago."""
        return self.distance > FAR


@dataclass(slots=True)
class Words:
    """The identifiers in blocks, found once for each tuple of blocks however often it is shown."""

    _found: dict[int, tuple[object, frozenset[Identifier]]] = field(
        default_factory=dict[int, tuple[object, frozenset[Identifier]]]
    )
    """By the tuple's identity; the tuple is kept, so that the identity stays its own."""

    def of(self, blocks: tuple[Block, ...]) -> frozenset[Identifier]:
        """The identifiers in the texts, arguments and results among the blocks."""
        known = self._found.get(id(blocks))
        if known is None:
            text = "\n".join(_texts(blocks))
            known = self._found[id(blocks)] = (blocks, frozenset(identifiers(text)))
        return known[1]


def uses(entries: Iterable[Entry], words: Words) -> tuple[Use, ...]:
    """Every use of something that had come up before, in the order of the calls.

    What the system prompt names is left out: it can't be lost.
    """
    always: frozenset[str] = frozenset()
    seen: dict[str, int] = {}
    unit, call = 0, 0
    found: list[Use] = []
    for entry in entries:
        match entry.event:
            case Opened(system=system):
                always = frozenset(name.text for name in identifiers(system))
            case Prompted(blocks=blocks):
                unit += 1
                seen.update((name.text, unit) for name in words.of(blocks))
            case Replied(blocks=blocks):
                unit += 1
                used = sorted(words.of(blocks), key=lambda name: (name.text, name.kind))
                texts = {name.text: name for name in used if name.text not in always}
                for text, name in texts.items():
                    if text in seen:
                        found.append(Use(call, name, unit - seen[text]))
                    seen[text] = unit
                call += 1
            case Returned(content=content):
                seen.update((name.text, unit) for name in words.of(content))
            case _:
                pass
    return tuple(found)


@dataclass(slots=True)
class InSight:
    """What a view names, kept up to date as the view changes."""

    words: Words
    _units: Units = ()
    _count: Counter[str] = field(default_factory=Counter[str])
    _notes: dict[int, str] = field(default_factory=dict[int, str])

    def look(self, units: Units) -> None:
        """Take these units as what is shown now."""
        same = 0
        for mine, theirs in zip(self._units, units, strict=False):
            if mine is not theirs:
                break
            same += 1
        self._count.subtract(self._names(self._units[same:]))
        self._count.update(self._names(units[same:]))
        self._units = units
        self._notes = {u.id: _note_text(u) for u in units if isinstance(u, Note)}

    def holds(self, text: str) -> bool:
        """Whether a shown unit names it, or a note has it in its text as a whole word."""
        return self._count[text] > 0 or any(_stands_in(text, n) for n in self._notes.values())

    def _names(self, units: Units) -> Iterator[str]:
        for unit in units:
            for blocks in passages(unit):
                yield from {name.text for name in self.words.of(blocks)}


def passages(unit: Unit) -> Iterator[tuple[Block, ...]]:
    """What the unit shows, as the tuples of blocks that the log holds."""
    match unit:
        case Prompt(blocks=blocks) | Note(blocks=blocks):
            yield blocks
        case Step(blocks=blocks, answers=answers):
            yield blocks
            for answer in answers:
                yield answer.result.content


def commonest(names_used: Iterable[frozenset[str]]) -> frozenset[str]:
    """What is used in so many conversations that it tells nothing about memory.

    That is a tenth of the conversations, and three at the least.
    """
    conversations = list(names_used)
    count = Counter(text for names in conversations for text in names)
    enough = max(3.0, len(conversations) / 10)
    return frozenset(text for text, n in count.items() if n >= enough)


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Text(text=text):
                yield text
            case ToolCall(arguments=arguments):
                yield from _strings(arguments)
            case ToolResult(content=content):
                yield from _texts(content)
            case _:
                pass


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[str, object]", value).values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("list[object]", value):
            yield from _strings(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def _note_text(note: Note) -> str:
    return "\n".join(_texts(note.blocks))


def _stands_in(text: str, whole: str) -> bool:
    start = whole.find(text)
    while start >= 0:
        end = start + len(text)
        before, after = whole[start - 1 : start], whole[end : end + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        start = whole.find(text, start + 1)
    return False
