"""What the context consists of, part by part, as `/context`, `/info` and the gauge show it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate

from octochat.context.session.view import Note, NoteKind, View

_NOTES: Mapping[NoteKind, str] = {
    "instructions": "instructions",
    "skill": "skills",
    "tool": "loaded tools",
    "summary": "notes",
    "recalled": "recalled",
}
"""The kinds of notes that are parts of their own."""


@dataclass(frozen=True, slots=True)
class ContextPart:
    """A part of the context."""

    name: str
    tokens: int


def parts(view: View, size: int) -> tuple[ContextPart, ...]:
    """The context by part; what the API counts beyond octochat's own sizes is a part of its own.

    Where the API counts less than octochat, the parts are scaled down so that they add up to it.
    """
    notes = [unit for unit in view.units if isinstance(unit, Note)]
    kinds = tuple(
        ContextPart(name, sum(note.size for note in notes if note.kind == kind))
        for kind, name in _NOTES.items()
    )
    rest = size - view.size
    named = (
        ContextPart("system and tools", view.head),
        *kinds,
        ContextPart("conversation", view.size - view.head - sum(each.tokens for each in kinds)),
        ContextPart("margin and uncounted", max(rest, 0)),
    )
    if rest < 0:
        named = _scaled(named, size)
    return tuple(part for part in named if part.tokens)


def _scaled(named: tuple[ContextPart, ...], size: int) -> tuple[ContextPart, ...]:
    total = sum(part.tokens for part in named)
    ends = [size * so_far // total for so_far in accumulate(part.tokens for part in named)]
    return tuple(
        replace(part, tokens=end - start)
        for part, start, end in zip(named, [0, *ends], ends, strict=False)
    )
