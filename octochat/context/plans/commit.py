"""From a plan to the event that carries it out: protect, measure, compare, and only then say yes.

The engine and the replay lab both go through here, so what the lab measures is what people get.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from octochat.context.session.content import Text
from octochat.context.session.edits import Fold, Plan, PromptTrim, ResultTrim, Trim, UnitId
from octochat.context.session.events import Condensed, Event, Prompted, Returned, Trigger
from octochat.context.session.state import State
from octochat.context.session.view import Note, Prompt, Step, View, shortened

LEAST_YIELD = 0.1
"""A fold that frees less of its range is thrown away: docs/compression.md#the-note."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The plan would not do what it is for."""

    why: str


def commit(
    state: State,
    plan: Plan,
    weigh: Callable[[Event], int],
    *,
    by: str,
    margin: int,
    trigger: Trigger = "auto",
) -> Condensed | Refused:
    """The event that carries out `plan`, measured; refused where it would not shrink the view.

    Protected units are kept whatever the plan says (docs/architecture.md, laws 5 and 6), and the
    notes of skills and instructions that no longer hold go with every fold, wherever they stand
    (docs/compression.md#range). `weigh` is the ruler that gives an entry its `size`. The
    note of the plan's fold must have been written before.
    """
    keep = state.kept if trigger == "done" else state.protected
    fold = _complete(state.view, plan.fold, keep, _stale(state)) if plan.fold else None
    trims = _worthwhile(state.view, plan.trims, keep, weigh)
    if not fold and not trims:
        return Refused("nothing that it would change may be changed")
    size = state.context + margin
    event = Condensed(
        by=by,
        why=plan.why,
        before=size,
        after=size,
        fold=fold,
        trims=trims,
        trigger=trigger,
        level=plan.level,
        ratio=plan.ratio,
        worth=plan.worth,
    )
    freed = _freed(state.view, event, weigh)
    if freed <= 0:
        return Refused(f"it would not make the context smaller ({-freed:,} tokens more)")
    if fold and freed < LEAST_YIELD * _folded(state.view, fold):
        return Refused(
            f"it would free only {freed:,} tokens, under a tenth of what it would replace"
        )
    billed = _as_billed(state, freed)
    if billed < plan.least * size:
        share = f"{billed / size:.0%} of the context"
        return Refused(f"it would free only {share} ({plan.least:.0%} is needed)")
    return replace(event, after=size - billed)


def _as_billed(state: State, freed: int) -> int:
    """The API may bill more or less for the view than our ruler says: so it does for a part."""
    return round(freed * state.context / state.view.size)


def _freed(view: View, event: Condensed, weigh: Callable[[Event], int]) -> int:
    """Tokens that the view has less behind it."""
    trimmed = view.trimmed(event.trims)
    saved = view.size - trimmed.size
    return saved + _folded(trimmed, event.fold) - weigh(event) if event.fold else saved


def _folded(view: View, fold: Fold) -> int:
    """Tokens of the units that the fold takes away."""
    run, keep = view.split(fold.first, fold.last)[1], frozenset(fold.keep)
    return sum(unit.size for unit in run if unit.id not in keep)


def _stale(state: State) -> frozenset[UnitId]:
    """Notes of skills that are no longer active, and of instructions that are out of date."""
    notes = (unit for unit in state.view.units if isinstance(unit, Note))
    standing = {note.id for note in notes if note.kind in ("skill", "instructions")}
    return frozenset(standing) - state.kept


def _complete(
    view: View, fold: object, keep: frozenset[UnitId], stale: frozenset[UnitId]
) -> Fold | None:
    """The fold with everything protected kept, and stretched to the stale notes around it."""
    if not isinstance(fold, Fold):
        raise TypeError("a note must be written before its fold can be carried out")
    inside = {unit.id for unit in view.split(fold.first, fold.last)[1]}
    going = (inside - keep).difference(fold.keep) | stale
    if not going:
        return None
    ends = {fold.first, fold.last} | stale
    places = [i for i, unit in enumerate(view.units) if unit.id in ends]
    run = view.units[places[0] : places[-1] + 1]
    kept = tuple(unit.id for unit in run if unit.id not in going)
    return replace(fold, first=run[0].id, last=run[-1].id, keep=kept)


def _worthwhile(
    view: View, trims: tuple[Trim, ...], keep: frozenset[UnitId], weigh: Callable[[Event], int]
) -> tuple[Trim, ...]:
    """The trims that are allowed and make what they cut smaller, measured."""
    if not trims:
        return ()
    sizes = dict(_trimmable(view, keep))
    found: list[Trim] = []
    for trim in trims:
        match trim:
            case ResultTrim(call_id=place, text=text):
                weight = weigh(Returned(place, (Text(text),)))
            case PromptTrim(unit=place):
                prompt = view.unit(place)
                said = prompt.blocks if isinstance(prompt, Prompt) else ()
                weight = weigh(Prompted(shortened(said, trim)))
        if weight < sizes.get(place, 0):
            found.append(replace(trim, size=weight))
    return tuple(found)


def _trimmable(view: View, keep: frozenset[UnitId]) -> Iterator[tuple[str | UnitId, int]]:
    """What may be cut, and its tokens: results by the id of their call, prompts by their own."""
    for unit in view.units:
        if unit.id in keep:
            continue
        match unit:
            case Prompt(size=size):
                yield unit.id, size
            case Step(answers=answers):
                yield from ((answer.result.call_id, answer.size) for answer in answers)
            case Note():
                pass
