"""The session's figures in a line, after each turn."""

from octochat.context.plans.forecast import Forecast, forecast
from octochat.session.session import Session
from octochat.text.figures import dollars, seconds, tokens


def status(session: Session) -> str:
    """Context, cost, and what the next request takes, in a line."""
    situation = session.situation
    parts = [
        f"context {tokens(situation.size)} of {tokens(situation.limit)} tokens",
        f"cost {dollars(situation.state.ledger.total_cost)}",
    ]
    if said := _next(forecast(situation)):
        parts.append(said)
    return f"({'; '.join(parts)})"


def _next(seen: Forecast) -> str:
    """What the next request's input costs; empty where it is free or nobody knows."""
    if not seen.cold:
        return ""
    if not seen.left:
        return f"the next request {dollars(seen.cold)}, the cache is cold"
    return f"the next request {dollars(seen.warm)}, in {seconds(seen.left)} {dollars(seen.cold)}"
