"""What an edit is expected to save, whoever made it: before it is made, and as it was measured."""

from dataclasses import replace

from octochat.context.economics.worth import FEWEST_CALLS, CacheTariff, calls_to_come, worth
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Fold, NoteRequest, Worth
from octochat.context.session.events import Condensed
from octochat.context.session.ledger import Ledger


def expected(
    situation: Situation,
    fold: Fold | NoteRequest,
    after: int,
    summary: float,
    *,
    share: float = 1.0,
) -> Worth | None:
    """The sum over the calls still expected; None where nothing is to be weighed.

    Args:
        situation: the session before the edit; a free or unpriced model has nothing to weigh.
        fold: what is folded; the cache holds what stands before it.
        after: the context size that it leaves, in tokens.
        summary: dollars of its note.
        share: of the calls still expected, the nearest, that count.
    """
    prices, ledger = situation.prices, situation.state.ledger
    if not prices.known or prices.free:
        return None
    calls = still_to_come(ledger)
    return worth(
        CacheTariff(prices, ledger.ttl),
        before=situation.size,
        after=after,
        cached=(situation.cached, min(situation.cached, _before(situation, fold))),
        calls=max(int(calls * share), FEWEST_CALLS),
        growth=ledger.growth,
        summary=summary,
    )


def still_to_come(ledger: Ledger) -> int:
    """The calls that are still expected, by the pace so far."""
    return calls_to_come(ledger.calls, ledger.active_seconds / 60)


def as_measured(event: Condensed, situation: Situation) -> Condensed:
    """A fold with what it is expected to save, if its strategy did not say."""
    if event.worth or event.fold is None:
        return event
    summary = 0.0 if event.ignored else event.cost or 0.0
    value = expected(situation, event.fold, event.after, summary)
    return replace(event, worth=value)


def _before(situation: Situation, fold: Fold | NoteRequest) -> int:
    """Tokens of what stands before the fold."""
    view = situation.state.view
    return view.head + sum(unit.size for unit in view.split(fold.first, fold.last)[0])
