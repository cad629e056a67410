"""Ready-made plans: leave units out, or have them summed up; and what counts as a message."""

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text, plain_text
from octochat.context.session.edits import Decision, Fold, Hold, NoteRequest, Plan, UnitId
from octochat.context.session.view import Note, Unit, Units, covered

GAP = "[octochat left out"
LEAST_GAIN = 0.1
"""The share of what is summed up that must be won."""


def gap(run: Units, keep: frozenset[UnitId] = frozenset()) -> Fold:
    """A fold that says only that something was here and how to fetch it."""
    gone = sum(len(covered(unit)) for unit in run if unit.id not in keep)
    text = f"{GAP} {gone} earlier messages here; `recall` can fetch them]"
    kept = tuple(unit.id for unit in run if unit.id in keep)
    return Fold(run[0].id, run[-1].id, (Text(text),), kept)


def is_note(unit: Unit) -> bool:
    """Whether octochat wrote it to stand for folded units."""
    return isinstance(unit, Note) and unit.kind == "summary"


def is_gap(unit: Unit) -> bool:
    """Whether it says only that something was left out."""
    return is_note(unit) and plain_text(unit.blocks).startswith(GAP)


def messages(units: Units) -> Units:
    """The units without summaries: what the originals count as messages."""
    return tuple(unit for unit in units if not is_note(unit))


def droppable(situation: Situation) -> Units:
    """What may be left out without a word on what it said.

    Summaries stay, another strategy paid for them; notes of a gap become part of the next one.
    """
    return tuple(u for u in messages(situation.state.view.units) if u.id in situation.free)


def drop(situation: Situation, gone: Units, why: str) -> Decision:
    """A plan that leaves these units out, or a hold where nothing of them may go.

    The run reaches from the first unit to the last, with the notes of gaps before it and in it;
    what else lies between and is not `gone` is kept.
    """
    going = frozenset(unit.id for unit in gone) & situation.free
    if not going:
        return Hold("nothing that may be dropped")
    units = situation.state.view.units
    places = [i for i, unit in enumerate(units) if unit.id in going]
    first, last = places[0], places[-1]
    while first and is_gap(units[first - 1]):
        first -= 1
    run = units[first : last + 1]
    return Plan(why, gap(run, frozenset(u.id for u in run if not is_gap(u)) - going))


def summarised(situation: Situation, gone: Units, most: int, why: str) -> Decision:
    """A plan that makes one paragraph of these units and of every earlier summary.

    Args:
        situation: what there is.
        gone: the units to be summed up; those that may not go stay.
        most: tokens that the paragraph may take; it never takes more than it replaces.
        why: the plan's reason.
    """
    going = frozenset(unit.id for unit in messages(gone)) & situation.free
    if not going:
        return Hold("nothing that may be summarised")
    units = situation.state.view.units
    going |= {unit.id for unit in units if is_note(unit)} & situation.free
    places = [i for i, unit in enumerate(units) if unit.id in going]
    run = units[places[0] : places[-1] + 1]
    keep = tuple(unit.id for unit in run if unit.id not in going)
    size = sum(unit.size for unit in run if unit.id in going)
    budget = min(most, int(size * (1 - LEAST_GAIN)))
    return Plan(why, NoteRequest(run[0].id, run[-1].id, budget, keep, style="paragraph"))
