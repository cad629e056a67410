"""Which units a brief folds, what they stand for, and their note without a model."""

from collections.abc import Sequence
from dataclasses import dataclass

from octochat.context.notes.extractive import extractive_note, paragraph
from octochat.context.notes.fitting import Measure
from octochat.context.notes.note import asked, originals, plain
from octochat.context.session.edits import Brief, UnitId
from octochat.context.session.events import Entry, Knowledge, Trigger
from octochat.context.session.state import State
from octochat.context.session.view import Unit, Units, covered

_SENTENCE = 25
"""Tokens that a sentence takes, about."""


@dataclass(frozen=True, slots=True)
class Run:
    """The units that go."""

    units: Units
    covers: tuple[UnitId, ...]
    """The original units that they stand for, oldest first."""
    size: int
    """Tokens of all of them."""
    next: Unit | None
    """The first unit that stays behind them; None where nothing does."""


def run_of(state: State, brief: Brief, trigger: Trigger) -> Run:
    """The units that a brief folds, without those that survive it.

    Raises:
        ValueError: the view has no such run.
    """
    keep = state.kept if trigger == "done" else state.protected
    keep = keep | frozenset(brief.keep)
    _, inside, after = state.view.split(brief.first, brief.last)
    going = [place for place, unit in enumerate(inside) if unit.id not in keep]
    behind = (*inside, *after)[going[-1] + 1 :] if going else after
    gone = tuple(inside[place] for place in going)
    covers = sorted({original for unit in gone for original in covered(unit)})
    size = sum(unit.size for unit in gone)
    return Run(gone, tuple(covers), size, behind[0] if behind else None)


def without_model(
    run: Run,
    entries: Sequence[Entry],
    knowledge: tuple[Knowledge, ...],
    brief: Brief,
    measure: Measure,
) -> str:
    """The note on a run, written by code alone.

    Arguments:
        run: what goes.
        entries: the log, what was undone left out.
        knowledge: what is retained.
        brief: its style and budget.
        measure: the ruler.
    """
    if brief.style == "plain":
        folded = originals(entries, run.covers)
        sentences = max(brief.budget // _SENTENCE, 3)
        told = paragraph(folded, sentences) or " ".join(request.text for request in asked(folded))
        return plain(told or "nothing that needs to be known.", brief.budget, measure)
    return extractive_note(entries, run.covers, knowledge, brief.budget, measure)
