"""What a session has spent and how fast it goes. Undo gives back context, never money."""

from dataclasses import dataclass, replace

from octochat.context.session.events import (
    Condensed,
    Entry,
    EntryId,
    Held,
    Hinted,
    KeptWarm,
    ModelChanged,
    NoteEdited,
    Recalled,
    Replied,
    Reverted,
    Rewound,
    Usage,
)
from octochat.context.session.kept_warm import WarmthSums

GROWTHS = 10
"""How many of the last calls the growth is taken from."""
FIRST_GROWTH = 500
"""Tokens a call is expected to add before there are any."""


@dataclass(frozen=True, slots=True)
class CompressionRecord:
    """One compression, as `/info` counts it."""

    id: EntryId
    at: float
    event: Condensed
    calls: int
    """Calls of the conversation before it."""
    cold: int
    """Those that began with a cold cache, the one that comes next included if it will."""

    @property
    def freed(self) -> int:
        """Tokens."""
        return self.event.before - self.event.after


@dataclass(frozen=True, slots=True)
class RecallSums:
    """What automatic recall has put behind prompts."""

    times: int = 0
    passages: int = 0
    tokens: int = 0
    cost: float = 0.0
    """Dollars for sending it the first time, as far as known: a part of the calls' own bill."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Sums over the whole log, what was undone included."""

    calls: int = 0
    usage: Usage = Usage()
    """Of the conversation's own calls."""
    cost: float = 0.0
    """Dollars of the conversation's own calls, as far as they have prices."""
    unpriced: int = 0
    """Calls without known prices."""
    summary_calls: int = 0
    summary_usage: Usage = Usage()
    """Of decision and summary calls."""
    summary_cost: float = 0.0
    """Dollars of decision and summary calls, as far as they have prices."""
    summaries_unpriced: int = 0
    """Notes, or tries to have one written, without known prices."""
    ignored_cost: float = 0.0
    """The part of `summary_cost` that `ignore_cost` keeps out of the bill."""
    first_call: float | None = None
    last_call: float | None = None
    cold_calls: int = 0
    """Calls that came so late that the cache had gone cold."""
    ttl: int = 300
    """Seconds the last request's cache entries live."""
    active_seconds: float = 0.0
    """Time between calls, gaps longer than the cache's life left out."""
    growths: tuple[int, ...] = ()
    """Tokens that the last calls added."""
    carried: int | None = None
    """Context after the last call less what was freed since; None where that is not comparable."""
    compressions: tuple[CompressionRecord, ...] = ()
    """Every compression that was not taken back."""
    recalls: RecallSums = RecallSums()
    warmth: WarmthSums = WarmthSums()
    """Calls that kept the cache warm."""
    hinted: int | None = None
    """Calls that there had been when the person was last told that a compression is near."""

    @property
    def total_cost(self) -> float:
        """Dollars of the session, ignored costs left out."""
        return self.cost + self.summary_cost + self.warmth.cost - self.ignored_cost

    @property
    def growth(self) -> int:
        """Tokens that a call is expected to add: the median of the last ten."""
        if not self.growths:
            return FIRST_GROWTH
        ordered = sorted(self.growths)
        middle = len(ordered) // 2
        return (ordered[middle] + ordered[~middle]) // 2

    def warm(self, now: float) -> bool:
        """Whether the last request's cache entries still live ("Reads refresh the TTL")."""
        return self.last_use is not None and now - self.last_use <= self.ttl

    @property
    def last_use(self) -> float | None:
        """When the cache was last read or written, in seconds since the epoch."""
        return self.last_call if self.warmth.at is None else self.warmth.at


def billed(ledger: Ledger, entry: Entry) -> Ledger:
    """The ledger after one more entry."""
    match entry.event:
        case Replied() as event:
            return _called(ledger, entry.at, event)
        case Condensed() as event:
            carried = ledger.carried
            freed = event.before - event.after
            return replace(
                _summarised(ledger, event),
                carried=None if carried is None else carried - freed,
                compressions=(*ledger.compressions, _recorded(ledger, entry, event)),
            )
        case Held() as event:
            return _summarised(ledger, event)
        case KeptWarm() as event:
            return replace(ledger, warmth=ledger.warmth.plus(event, entry.at))
        case Hinted():
            return replace(ledger, hinted=ledger.calls)
        case Recalled(passages=passages, cost=cost):
            had = ledger.recalls
            sums = RecallSums(
                had.times + 1,
                had.passages + passages,
                had.tokens + entry.size,
                had.cost + (cost or 0.0),
            )
            return replace(ledger, recalls=sums)
        case Reverted(condensed=condensed):
            left = tuple(c for c in ledger.compressions if c.id != condensed)
            return replace(ledger, carried=None, compressions=left)
        case Rewound() | NoteEdited():
            return replace(ledger, carried=None)
        case ModelChanged(scale=scale):
            growths = tuple(round(growth * scale) for growth in ledger.growths)
            return replace(ledger, carried=None, growths=growths)
        case _:
            return ledger


def _recorded(ledger: Ledger, entry: Entry, event: Condensed) -> CompressionRecord:
    cold = ledger.cold_calls + (not ledger.warm(entry.at))
    return CompressionRecord(entry.id, entry.at, event, ledger.calls, cold)


def _called(ledger: Ledger, at: float, event: Replied) -> Ledger:
    if event.stop == "interrupted" and not event.usage.context:
        return ledger  # stopped before the API took it: nothing was billed, cached or refreshed
    gap = 0.0 if ledger.last_call is None else at - ledger.last_call
    cold = ledger.last_call is not None and not ledger.warm(at)
    growths = ledger.growths
    if ledger.carried is not None and event.usage.context and not event.void:
        growths = (*growths, max(event.usage.context - ledger.carried, 0))[-GROWTHS:]
    return replace(
        ledger,
        calls=ledger.calls + (event.stop != "failed"),
        usage=ledger.usage + event.usage,
        cost=ledger.cost + (event.cost or 0.0),
        unpriced=ledger.unpriced + (event.cost is None),
        first_call=at if ledger.first_call is None else ledger.first_call,
        last_call=at,
        cold_calls=ledger.cold_calls + (cold and event.stop != "failed"),
        ttl=event.ttl,
        warmth=ledger.warmth.settled,
        active_seconds=ledger.active_seconds + (gap if 0 < gap <= event.ttl else 0.0),
        growths=growths,
        carried=ledger.carried if event.void else event.usage.context or None,
    )


def _summarised(ledger: Ledger, event: Condensed | Held) -> Ledger:
    cost = event.cost or 0.0
    return replace(
        ledger,
        summary_calls=ledger.summary_calls + bool(event.usage.context),
        summary_usage=ledger.summary_usage + event.usage,
        summary_cost=ledger.summary_cost + cost,
        summaries_unpriced=ledger.summaries_unpriced + (event.cost is None),
        ignored_cost=ledger.ignored_cost + (cost if event.ignored else 0.0),
    )
