"""What `/info` is about: compressions, the context now, what each strategy would do, money.

Values from a situation and the pipeline; `commands/info_text.py` has the words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from octochat.context.economics.prices import MILLION, Prices, Rates
from octochat.context.plans.context_parts import ContextPart, parts
from octochat.context.plans.expected import still_to_come
from octochat.context.plans.keep_warm import Beat
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Leveled, Strategy, considered, leveled
from octochat.context.session.edits import Hold, Plan, Worth
from octochat.context.session.events import Condensed, Usage
from octochat.context.session.kept_warm import WarmthSums
from octochat.context.session.ledger import CompressionRecord, Ledger, RecallSums

_LARGE = 10**9
"""A window that is too small for no level, in tokens."""


@dataclass(frozen=True, slots=True)
class LevelInfo:
    """A level and how far it is."""

    threshold: int
    """Tokens, scaled to the model's window."""
    ratio: float
    reached: bool
    built_in: int | None = None
    """What it is in a large window, where this one is too small for that."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a strategy would do now."""

    strategy: str
    acts: bool
    why: str
    worth: Worth | None = None


@dataclass(frozen=True, slots=True)
class Trimming:
    """What a strategy has shortened so far: the statistics of auto-coder's cleanup."""

    by: str
    """The strategy."""
    original_tokens: int
    """Of the context before each of its edits, summed."""
    pruned_tokens: int
    """The same after them."""
    tool_results_cleaned: int

    @property
    def tokens_saved(self) -> int:
        """Tokens."""
        return self.original_tokens - self.pruned_tokens

    @property
    def compression_ratio(self) -> float:
        """What is left, as a share of what there was."""
        return self.pruned_tokens / self.original_tokens if self.original_tokens else 1.0


@dataclass(frozen=True, slots=True)
class Compressions:
    """Octomind's block, summed from the records of single compressions (one is one fold)."""

    total: int = 0
    average_reduction: float = 0.0
    """A share, 0 to 1."""
    tokens_saved: int = 0
    cost_saved: float = 0.0
    """Dollars that they were expected to save, net."""
    cost_saved_so_far: float = 0.0
    """The same by the calls that really came since."""
    calls_expected: int = 0
    """Calls after each of them that were expected, summed."""
    calls_came: int = 0
    """Calls after each of them that came, summed."""
    last_before: int = 0
    last_after: int = 0
    last_cost_saved: float = 0.0
    trims: int = 0
    """How often results were only shortened."""
    tokens_trimmed: int = 0
    trimmed_by: tuple[Trimming, ...] = ()
    """By strategy."""


@dataclass(frozen=True, slots=True)
class Info:
    """All that `/info` shows."""

    model: str
    compressions: Compressions
    size: int
    """F: tokens, the safety margin included."""
    limit: int
    """The most tokens a request may have."""
    window: int
    parts: tuple[ContextPart, ...]
    levels: tuple[LevelInfo, ...]
    outlook: tuple[Outlook, ...]
    recalls: RecallSums
    """What automatic recall has put behind prompts so far."""
    cooldown: int | None
    """The size at which the next compression is tried; None: no cooldown."""
    streak: int
    """Compressions since the person last spoke."""
    calls: int
    expected_calls: int
    usage: Usage
    summary_usage: Usage
    cache_hit_rate: float
    """Input read from the cache, as a share of all input."""
    warm: bool
    cost: float
    """Dollars of the conversation."""
    summary_cost: float
    """Dollars of decision and summary calls."""
    ignored_cost: float
    unpriced_calls: int
    unpriced_summaries: int
    prices: Rates | None
    """The model's, for a prompt of this size; None where nobody knows them."""
    writers: tuple[str, ...] = ()
    """The models that may write notes; none: code writes them."""
    guidance: str = ""
    """What the person wants of every note."""
    kept_warm: WarmthSums = WarmthSums()
    """Calls that kept the prompt cache warm."""
    next_warmth: Beat | None = None
    """The next one; None: none will be made."""
    origins: tuple[str, ...] = ()
    """Where settings come from that go by the login, a line each."""
    writing_ahead: bool = False
    """A note is being written, or is written, that nobody needs yet."""


def info(situation: Situation, strategies: Sequence[Strategy]) -> Info:
    """The session as it stands."""
    state, ledger = situation.state, situation.state.ledger
    by_level = leveled(strategies)
    prompt = ledger.usage.prompt
    return Info(
        model=state.model,
        compressions=_compressions(ledger, situation.prices),
        size=situation.size,
        limit=situation.limit,
        window=situation.window,
        parts=parts(state.view, situation.size),
        levels=tuple(_levels(by_level, situation)) if by_level else (),
        outlook=tuple(_outlook(strategy, situation) for strategy in strategies),
        recalls=ledger.recalls,
        cooldown=by_level.waits_for(situation) if by_level else None,
        streak=state.streak,
        calls=ledger.calls,
        expected_calls=still_to_come(ledger),
        usage=ledger.usage,
        summary_usage=ledger.summary_usage,
        cache_hit_rate=ledger.usage.cache_read / prompt if prompt else 0.0,
        warm=situation.warm,
        cost=ledger.cost,
        summary_cost=ledger.summary_cost,
        ignored_cost=ledger.ignored_cost,
        unpriced_calls=ledger.unpriced,
        unpriced_summaries=ledger.summaries_unpriced,
        prices=situation.prices.at(situation.size),
        kept_warm=ledger.warmth,
        writers=tuple(writer.model for writer in situation.writers),
    )


def _levels(strategy: Leveled, situation: Situation) -> Iterator[LevelInfo]:
    unscaled = strategy.levels(_LARGE)
    for level, full in zip(strategy.levels(situation.window), unscaled, strict=True):
        threshold = level.threshold
        shrunk = None if threshold == full.threshold else full.threshold
        yield LevelInfo(threshold, level.target_ratio, situation.size >= threshold, shrunk)


def _compressions(ledger: Ledger, prices: Prices) -> Compressions:
    made = [each for each in ledger.compressions if each.event.fold]
    trims = [each for each in ledger.compressions if not each.event.fold]
    short = Compressions(
        trims=len(trims),
        tokens_trimmed=sum(each.freed for each in trims),
        trimmed_by=tuple(_trimming([each.event for each in trims])),
    )
    if not made:
        return short
    last = made[-1].event
    return replace(
        short,
        total=len(made),
        average_reduction=sum(map(_reduction, made)) / len(made),
        tokens_saved=sum(c.freed for c in made),
        cost_saved=sum(map(_saved, made)),
        cost_saved_so_far=sum(settled(each, ledger, prices) for each in made),
        calls_expected=sum(each.event.worth.calls for each in made if each.event.worth),
        calls_came=sum(ledger.calls - each.calls for each in made if each.event.worth),
        last_before=last.before,
        last_after=last.after,
        last_cost_saved=_saved(made[-1]),
    )


def _reduction(made: CompressionRecord) -> float:
    """The share that went; none where the log says that there was nothing."""
    return 1 - made.event.after / made.event.before if made.event.before else 0.0


def _trimming(trims: Sequence[Condensed]) -> Iterator[Trimming]:
    for by in dict.fromkeys(event.by for event in trims):
        own = [event for event in trims if event.by == by]
        yield Trimming(
            by,
            sum(event.before for event in own),
            sum(event.after for event in own),
            sum(event.results_shortened for event in own),
        )


def _saved(compression: CompressionRecord) -> float:
    worth = compression.event.worth
    return worth.net if worth else 0.0


def settled(made: CompressionRecord, ledger: Ledger, prices: Prices) -> float:
    """Dollars that a fold has saved by now: what was expected of it, for the calls that came.

    The first call is as it was expected; each one after it did not read what was freed from the
    cache, or did not write it where the cache had gone cold.
    """
    worth, rates = made.event.worth, prices.at(made.event.before)
    came = ledger.calls - made.calls
    if worth is None or rates is None:
        return 0.0
    if not came:
        return -worth.summary
    cold = min(max(ledger.cold_calls - made.cold, 0), came - 1)
    fewer = (worth.calls - came + cold) * rates.cache_read - cold * rates.write(ledger.ttl)
    return worth.net - fewer * made.freed / MILLION


def _outlook(strategy: Strategy, situation: Situation) -> Outlook:
    match considered(strategy, situation):
        case Hold(why=why, worth=worth):
            return Outlook(strategy.name, acts=False, why=why, worth=worth)
        case Plan(why=why, worth=worth):
            return Outlook(strategy.name, acts=True, why=why, worth=worth)
