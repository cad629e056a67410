"""`/max-cost`: what the session may cost, told and changed while it is open."""

from octochat.commands.base import Command, Report, Shown, simple
from octochat.models.catalogue import uncapped
from octochat.session.session import Session
from octochat.text.figures import amount, dollars

NONE = "none"
HOLDS = "This lasts until you leave octochat; to keep it, set `max_cost` in the configuration."


def _max_cost(session: Session, rest: str) -> Shown:
    engine = session.engine
    if not rest:
        return Report(
            _standing(session, f"To change that: /max-cost DOLLARS, or /max-cost {NONE}.")
        )
    limit = 0.0 if rest == NONE else amount(rest)
    if limit is None:
        return Report(f"Usage: /max-cost [DOLLARS | {NONE}]")
    engine.max_cost = limit
    unpriced = uncapped(session.known(engine.state.model), limit)
    return Report(_standing(session, unpriced or HOLDS))


def _standing(session: Session, more: str) -> str:
    spent, limit = session.engine.state.ledger.total_cost, session.engine.max_cost
    if not limit:
        allowed = "there is no limit"
    elif spent < limit:
        allowed = f"octochat stops calling the model at {dollars(limit)}"
    else:
        allowed = f"the limit is {dollars(limit)}, so octochat makes no more calls"
    return f"The session has cost {dollars(spent)}; {allowed}. {more}"


COST_COMMANDS: tuple[Command, ...] = (
    Command("max-cost", f"[DOLLARS | {NONE}]", "what the session may cost", simple(_max_cost)),
)
"""Those that both front ends have."""
