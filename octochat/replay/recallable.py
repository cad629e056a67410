"""Where in a recording each used name stands: what the `recall` tool could fetch.

A name can be recalled where the view shows a note that names the unit it stood in, or a trimmed
result of that unit: both say what to ask for, and the log has the rest.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.context.session.view import Note, Step, View
from octochat.replay.recall import Names, Use


@dataclass(slots=True)
class RecallableNames:
    """The uses by call, and the units by name."""

    _due: Mapping[int, Sequence[Use]] = field(default_factory=dict[int, list[Use]])
    _units: Mapping[str, frozenset[UnitId]] = field(default_factory=dict[str, frozenset[UnitId]])

    @classmethod
    def of(cls, entries: Iterable[Entry], uses: Iterable[Use], names: Names) -> "RecallableNames":
        """The names of a recording."""
        due: defaultdict[int, list[Use]] = defaultdict(list)
        for use in uses:
            due[use.call].append(use)
        wanted = {use.name.text for found in due.values() for use in found}
        places: defaultdict[str, set[UnitId]] = defaultdict(set)
        unit: UnitId = 0
        for entry in entries:
            match entry.event:
                case Prompted(blocks=blocks) | Replied(blocks=blocks):
                    unit = entry.id
                    shown = names.of(blocks)
                case Returned(content=content):
                    shown = names.of(content)
                case _:
                    continue
            for text in wanted & {name.text for name in shown}:
                places[text].add(unit)
        return cls(dict(due), {text: frozenset(units) for text, units in places.items()})

    def due(self, call: int) -> Sequence[Use]:
        """What the agent uses again in the reply to this call."""
        return self._due.get(call, ())

    def reaches(self, view: View, text: str) -> bool:
        """Whether the view says where the name could be fetched."""
        stood = self._units.get(text, frozenset())
        for unit in view.units:
            match unit:
                case Note(covers=covers):
                    if not stood.isdisjoint(covers):
                        return True
                case Step(id=id_, answers=answers):
                    if id_ in stood and any(answer.trimmed for answer in answers):
                        return True
                case _:
                    pass
        return False
