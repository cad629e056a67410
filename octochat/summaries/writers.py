"""Which models may write summaries. Prices decide between them, not this."""

from collections.abc import Callable

from octochat.context.economics.worth import Writer
from octochat.models.catalogue import ModelInfo
from octochat.models.offline import NAME as OFFLINE

AUTO = "auto"
"""The setting that leaves the choice to the price."""
CHEAP = "claude-haiku-5-5"
"""The model that `auto` weighs against the conversation's own."""


def who_may_write(
    decision: str, model: str, known: Callable[[str], ModelInfo]
) -> tuple[Writer, ...]:
    """The decision model, the conversation's own, or either; for the offline model, nobody.

    Args:
        decision: `[compression.decision] model`.
        model: the conversation's.
        known: what is known of a model by its name.
    """
    own = known(model)
    if OFFLINE in (own.name, decision):
        return ()
    named = known(CHEAP if decision == AUTO else decision)
    shared = Writer(own.name, own.prices, shares_cache=True)
    if named.name == own.name:
        return (shared,)
    scale = named.token_factor / own.token_factor
    other = Writer(named.name, named.prices, shares_cache=False, scale=scale)
    return (other, shared) if decision == AUTO else (other,)
