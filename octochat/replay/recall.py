"""Future-reference recall: of what the recorded agent used later, how much was still there.

An identifier (a path, an id, a number with its unit ...) counts when the agent wrote it, in text
or in the arguments of a tool, after it had come up before. It was in the context if the view of
that call held it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from octochat.context.notes.identifiers import Identifier, identifiers
from octochat.context.session.events import Entry, Opened, Prompted, Replied, Returned
from octochat.replay.lexicon import Lexicon

Names: TypeAlias = Lexicon[Identifier]
"""The identifiers in blocks."""

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


def uses(entries: Iterable[Entry], names: Names) -> tuple[Use, ...]:
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
                seen.update((name.text, unit) for name in names.of(blocks))
            case Replied(blocks=blocks):
                unit += 1
                used = sorted(names.of(blocks), key=lambda name: (name.text, name.kind))
                texts = {name.text: name for name in used if name.text not in always}
                for text, name in texts.items():
                    if text in seen:
                        found.append(Use(call, name, unit - seen[text]))
                    seen[text] = unit
                call += 1
            case Returned(content=content):
                seen.update((name.text, unit) for name in names.of(content))
            case _:
                pass
    return tuple(found)
