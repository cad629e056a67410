"""Which models may write summaries. Prices decide between them, not this."""

from collections.abc import Callable

from octochat.context.economics.worth import Writer
from octochat.models.catalogue import ModelInfo
from octochat.models.names import bare, played, seat
from octochat.models.offline import NAME as OFFLINE

AUTO = "auto"
"""The setting that leaves the choice to the price."""
CHEAP = "claude-haiku-5-5"
"""The model that `auto` weighs against the conversation's own."""


def who_may_write(
    decision: str, model: str, known: Callable[[str], ModelInfo]
) -> tuple[Writer, ...]:
    """The decision model, the conversation's own, or either; for the offline model, nobody.

    Who plays the conversation's model plays the decision model too.

    A decision model without known prices counts as dear as the conversation's own, not as free;
    where that one has none, `auto` has nothing to compare and takes it.

    Args:
        decision: `[compression.decision] model`.
        model: the conversation's.
        known: what is known of a model by its name.
    """
    own, decision = known(model), bare(decision)
    if OFFLINE in (own.name, decision):
        return ()
    wanted = CHEAP if decision == AUTO else decision
    named = known(seat(wanted) if played(own.name) and not played(wanted) else wanted)
    shared = Writer(own.name, own.prices, shares_cache=True)
    if named.name == own.name or (decision == AUTO and not own.prices.known):
        return (shared,)
    scale = named.token_factor / own.token_factor
    prices = named.prices if named.prices.known else own.prices
    other = Writer(named.name, prices, shares_cache=False, scale=scale)
    return (other, shared) if decision == AUTO else (other,)


def unpriced(decision: str, known: Callable[[str], ModelInfo]) -> str:
    """What to tell a person whose notes are written at an unknown price; else empty."""
    if bare(decision) in (AUTO, OFFLINE) or known(decision).prices.known:
        return ""
    name = known(decision).name
    what = "is not known to octochat" if not known(decision).known else "has no known price"
    return (
        f"{name}, which writes the notes ([compression.decision] model), {what}: its calls are "
        "left out of the bill, and whether a compression pays is reckoned with the prices of the "
        f'conversation\'s model. Its own can stand under [models."{name}"].'
    )
