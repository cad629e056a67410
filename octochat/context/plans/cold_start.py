"""What going on after a long pause costs, and that compressing first is cheaper. Pure."""

from octochat.context.economics.worth import cheapest
from octochat.context.notes.transcript import transcript_size
from octochat.context.plans.forecast import forecast
from octochat.context.plans.ranges import TAIL_TURNS, choose, going
from octochat.context.plans.situation import Situation


def compact_first(situation: Situation, first: int | None, note_max: int) -> float | None:
    """Dollars of the note that `/compact` would write now; None where that is not worth a word.

    Args:
        situation: the session as it was gone on with.
        first: the first level, in tokens; None: there is none.
        note_max: `note_max_tokens`.
    """
    state = situation.state
    cold = forecast(situation).cold
    if first is None or situation.size < first or situation.warm or not cold:
        return None
    if not state.ledger.calls:
        return None
    request = choose(
        state.view.units,
        state.protected,
        excess=state.view.size,
        tail=TAIL_TURNS,
        note_max=note_max,
    )
    if request is None:
        return None
    written = cheapest(
        situation.writers,
        context=situation.size,
        cached=0,
        transcript=transcript_size(going(state, request)),
        note=request.answer,
    )
    cost = written[1] if written else 0.0
    return cost if cost < cold else None
