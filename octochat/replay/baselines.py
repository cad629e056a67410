"""What a strategy must beat, and what none can: random dropping, and dropping with foresight.

Both act when a reference strategy acted and come down to the size that it came down to, so that
their requests weigh the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

from octochat.context.plans.folding import drop, is_note
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold, UnitId
from octochat.context.session.view import Unit, Units
from octochat.replay.lexicon import passages
from octochat.replay.recall import Names, Use

Targets = Mapping[int, int]
"""Call, counted from 0 -> tokens that its request is to have."""

GAP = 80
"""Tokens that the line takes which says that something was left out."""


@dataclass(frozen=True, slots=True)
class Random:
    """Drops units by lot; the same seed draws the same lots."""

    name: ClassVar[str] = "random"

    targets: Targets
    seed: int = 0

    def decide(self, situation: Situation) -> Decision:
        """Drop by lot where the reference made an edit."""
        lots = sorted(_free(situation), key=self._lot)
        return _down_to(situation, self.targets, lots)

    def _lot(self, unit: Unit) -> bytes:
        return blake2b(f"{self.seed} {unit.id}".encode(), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class Oracle:
    """Drops what the recorded agent will not use again, as far as that is enough."""

    name: ClassVar[str] = "oracle"

    targets: Targets
    uses: tuple[Use, ...]
    names: Names

    def decide(self, situation: Situation) -> Decision:
        """Drop the least useful where the reference made an edit."""
        call = situation.state.ledger.calls
        if call not in self.targets:
            return Hold("the reference held")
        wanted = {use.name.text for use in self.uses if use.call >= call}
        best = list(self._by_worth(_free(situation), wanted - self._kept(situation)))
        return _down_to(situation, self.targets, reversed(best))

    def _by_worth(self, units: Units, wanted: set[str]) -> Iterator[Unit]:
        """The units, the one first that holds most of what is still wanted for its weight."""
        left: dict[UnitId, tuple[Unit, set[str]]] = {
            unit.id: (unit, self._names(unit) & wanted) for unit in units
        }
        while left:
            best, names = max(left.values(), key=lambda pair: len(pair[1]) / _weight(pair[0]))
            yield best
            del left[best.id]
            if names:
                left = {id_: (unit, held - names) for id_, (unit, held) in left.items()}

    def _kept(self, situation: Situation) -> set[str]:
        """What stands in units that stay whatever happens."""
        free = {unit.id for unit in _free(situation)}
        units = situation.state.view.units
        return {name for unit in units if unit.id not in free for name in self._names(unit)}

    def _names(self, unit: Unit) -> set[str]:
        return {name.text for blocks in passages(unit) for name in self.names.of(blocks)}


def _weight(unit: Unit) -> int:
    return max(unit.size, 1)


def _free(situation: Situation) -> Units:
    """What may go, and is not a line that says that something went."""
    units, free = situation.state.view.units, situation.free
    return tuple(unit for unit in units if unit.id in free and not is_note(unit))


def _down_to(situation: Situation, targets: Targets, order: Iterable[Unit]) -> Decision:
    call = situation.state.ledger.calls
    if call not in targets:
        return Hold("the reference held")
    excess = situation.state.view.size - targets[call] + GAP
    gone = [unit for unit in situation.state.view.units if is_note(unit)]
    excess -= sum(unit.size for unit in gone)
    for unit in order:
        if excess <= 0:
            break
        gone.append(unit)
        excess -= unit.size
    return drop(situation, tuple(gone), "as the reference")
