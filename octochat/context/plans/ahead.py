"""Which note will be needed soon, so that it can be written before anybody waits for it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from octochat.context.plans.ranges import going
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Leveled, Strategy, considered
from octochat.context.session.edits import NoteRequest, Plan, UnitId
from octochat.context.session.state import State

ENOUGH = 0.7
"""The share of what a plan would take away that a note written ahead must stand for."""


def wanted_soon(
    situation: Situation, strategies: Iterable[Strategy], share: float
) -> tuple[str, NoteRequest] | None:
    """The strategy and the note that it will want at its next level; None: none is near.

    After a try that came to nothing, none is near before the context has grown.

    Arguments:
        situation: the session now.
        strategies: those in force; the first that has levels counts.
        share: of the size at which the note is needed, from which on it is near.
    """
    strategy = next((each for each in strategies if isinstance(each, Leveled)), None)
    needed = _next(strategy, situation) if strategy else None
    if strategy is None or needed is None or needed > situation.limit:
        return None
    marks = situation.state.watermarks
    if situation.size < share * needed or marks.stalled(strategy.name, situation.size):
        return None
    then = replace(situation, margin=situation.margin + needed - situation.size)
    plan = considered(strategy, then)
    if not isinstance(plan, Plan) or not isinstance(plan.fold, NoteRequest):
        return None
    return strategy.name, plan.fold


def _next(strategy: Leveled, situation: Situation) -> int | None:
    """The size at which it is asked next."""
    levels = [level.threshold for level in strategy.levels(situation.window)]
    waits = strategy.waits_for(situation)
    if waits is not None:
        return max(waits, *levels[:1])
    return next((size for size in levels if size > situation.size), None)


def reusable(
    state: State, written: NoteRequest, covers: Sequence[UnitId], plan: NoteRequest
) -> NoteRequest | None:
    """The range of a note written ahead, for the plan that is carried out now.

    None where it is of no use: units of it are gone or protected, or the plan takes much more.

    Arguments:
        state: the session now.
        written: what the note was written for.
        covers: the units that it stands for.
        plan: what is wanted now.
    """
    wanted = frozenset(covers)
    try:
        run = state.view.split(written.first, written.last)[1]
        sizes = {unit.id: unit.size for unit in going(state, plan)}
    except ValueError:
        return None
    kept = tuple(unit.id for unit in run if unit.id not in wanted)
    here = {unit.id: unit.size for unit in run if unit.id in wanted}
    if len(here) < len(wanted) or wanted & state.protected or plan.style != written.style:
        return None
    if sum(here.values()) < ENOUGH * sum(sizes.values()):
        return None
    return replace(written, keep=kept)
