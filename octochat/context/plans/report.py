"""What `/info` says: compression statistics, the context now, what each strategy would do, money.

Pure: from a situation and the pipeline to values, and from these to lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from octochat.context.economics.worth import expected_calls
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy, considered, leveled
from octochat.context.session.edits import Hold, Plan, Worth
from octochat.context.session.events import Usage
from octochat.context.session.ledger import CompressionRecord, Ledger
from octochat.context.session.view import Note, View


@dataclass(frozen=True, slots=True)
class LevelInfo:
    """A level and how far it is."""

    threshold: int
    """Tokens, scaled to the model's window."""
    ratio: float
    reached: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a strategy would do now."""

    strategy: str
    acts: bool
    why: str
    worth: Worth | None = None


@dataclass(frozen=True, slots=True)
class Compressions:
    """Octomind's block, summed from the records of single compressions (one is one fold)."""

    total: int = 0
    average_reduction: float = 0.0
    """A share, 0 to 1."""
    tokens_saved: int = 0
    cost_saved: float = 0.0
    """Dollars that they were expected to save, net."""
    last_before: int = 0
    last_after: int = 0
    last_cost_saved: float = 0.0
    trims: int = 0
    """How often results were only shortened."""
    tokens_trimmed: int = 0


@dataclass(frozen=True, slots=True)
class ContextPart:
    """A part of the context."""

    name: str
    tokens: int


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
    prices: str
    """The model's, in words."""


def info(situation: Situation, strategies: Sequence[Strategy]) -> Info:
    """The session as it stands."""
    state, ledger = situation.state, situation.state.ledger
    by_level = leveled(strategies)
    known = by_level.levels(situation.window) if by_level else ()
    prompt = ledger.usage.prompt
    return Info(
        model=state.model,
        compressions=_compressions(ledger),
        size=situation.size,
        limit=situation.limit,
        window=situation.window,
        parts=parts(state.view, situation.size),
        levels=tuple(
            LevelInfo(lv.threshold, lv.target_ratio, situation.size >= lv.threshold) for lv in known
        ),
        outlook=tuple(_outlook(strategy, situation) for strategy in strategies),
        cooldown=by_level.waits_for(situation) if by_level else None,
        streak=state.streak,
        calls=ledger.calls,
        expected_calls=int(expected_calls(ledger.calls, ledger.active_seconds / 60)),
        usage=ledger.usage,
        summary_usage=ledger.summary_usage,
        cache_hit_rate=ledger.usage.cache_read / prompt if prompt else 0.0,
        warm=situation.warm,
        cost=ledger.cost,
        summary_cost=ledger.summary_cost,
        ignored_cost=ledger.ignored_cost,
        unpriced_calls=ledger.unpriced,
        prices=_prices(situation),
    )


def parts(view: View, size: int) -> tuple[ContextPart, ...]:
    """The context by part; what the API counts beyond octochat's own sizes is a part of its own.

    Where the API counts less than octochat, the parts are scaled down so that they add up to it.
    """
    notes = [unit for unit in view.units if isinstance(unit, Note)]
    skills = sum(note.size for note in notes if note.kind == "skill")
    summary = sum(note.size for note in notes if note.kind == "summary")
    talk = view.size - view.head - skills - summary
    rest = size - view.size
    named = (
        ContextPart("system and tools", view.head),
        ContextPart("skills", skills),
        ContextPart("summary", summary),
        ContextPart("conversation", talk),
        ContextPart("margin and uncounted", max(rest, 0)),
    )
    if rest < 0:
        named = _scaled(named, size)
    return tuple(part for part in named if part.tokens)


def _scaled(named: tuple[ContextPart, ...], size: int) -> tuple[ContextPart, ...]:
    total = sum(part.tokens for part in named)
    ends = [size * so_far // total for so_far in accumulate(part.tokens for part in named)]
    return tuple(
        replace(part, tokens=end - start)
        for part, start, end in zip(named, [0, *ends], ends, strict=False)
    )


def _compressions(ledger: Ledger) -> Compressions:
    made = [each for each in ledger.compressions if each.event.fold]
    trims = [each for each in ledger.compressions if not each.event.fold]
    short = Compressions(trims=len(trims), tokens_trimmed=sum(each.freed for each in trims))
    if not made:
        return short
    last = made[-1].event
    return replace(
        short,
        total=len(made),
        average_reduction=sum(1 - c.event.after / c.event.before for c in made) / len(made),
        tokens_saved=sum(c.freed for c in made),
        cost_saved=sum(map(_saved, made)),
        last_before=last.before,
        last_after=last.after,
        last_cost_saved=_saved(made[-1]),
    )


def _saved(compression: CompressionRecord) -> float:
    worth = compression.event.worth
    return worth.net if worth else 0.0


def _outlook(strategy: Strategy, situation: Situation) -> Outlook:
    match considered(strategy, situation):
        case Hold(why=why, worth=worth):
            return Outlook(strategy.name, acts=False, why=why, worth=worth)
        case Plan(why=why, worth=worth):
            return Outlook(strategy.name, acts=True, why=why, worth=worth)


def _prices(situation: Situation) -> str:
    rates = situation.prices.at(situation.size)
    if rates is None:
        return "unpriced"
    if situation.prices.free:
        return "free"
    return (
        f"${rates.input:g} in, ${rates.output:g} out, ${rates.cache_write:g} cache write, "
        f"${rates.cache_read:g} cache read, a million tokens"
    )


def lines(shown: Info) -> tuple[str, ...]:
    """`/info` as lines of text."""
    return (
        *_seed_block(shown.compressions),
        "",
        *_context(shown),
        "",
        *_strategies(shown),
        "",
        *_money(shown),
    )


def _seed_block(made: Compressions) -> Iterator[str]:
    """Octomind's block, to the letter ("Use /info to see compression statistics")."""
    yield "Compression Statistics:"
    yield f"  Total compressions: {made.total}"
    if not made.total:
        return
    yield f"  Average reduction: {made.average_reduction:.1%}"
    yield f"  Total tokens saved: {made.tokens_saved:,}"
    yield f"  Cost saved: {_dollars(made.cost_saved)}"
    yield ""
    yield "  Last compression:"
    yield f"    Before: {made.last_before:,} tokens"
    ratio = made.last_before / max(made.last_after, 1)
    yield f"    After: {made.last_after:,} tokens ({ratio:.1f}x compression)"
    yield f"    Cost saved: {_dollars(made.last_cost_saved)}"


def _context(shown: Info) -> Iterator[str]:
    yield f"Context: {shown.size:,} of {shown.limit:,} tokens (window {shown.window:,})"
    for part in shown.parts:
        yield f"  {part.name}: {part.tokens:,}"
    for n, level in enumerate(shown.levels, 1):
        away = "reached" if level.reached else f"{level.threshold - shown.size:,} tokens away"
        yield f"  Level {n}: {level.threshold:,} tokens, {level.ratio:g}x ({away})"
    made = shown.compressions
    if made.trims:
        yield f"  Trims of old results: {made.trims}, {made.tokens_trimmed:,} tokens freed"


def _strategies(shown: Info) -> Iterator[str]:
    yield "Now:"
    for look in shown.outlook:
        yield f"  {look.strategy}: {'would act: ' if look.acts else 'holds: '}{look.why}"
        if look.worth:
            yield (
                f"    over {look.worth.calls} calls: {_dollars(look.worth.without)} without, "
                f"{_dollars(look.worth.with_edit)} with it "
                f"({_dollars(look.worth.summary)} for the summary)"
            )
    if shown.cooldown is not None:
        yield f"  cooldown: the next compression is tried at {shown.cooldown:,} tokens"


def _money(shown: Info) -> Iterator[str]:
    used = shown.usage
    yield f"Model: {shown.model} ({shown.prices})"
    yield f"  Calls: {shown.calls} so far, {shown.expected_calls} more expected"
    yield (
        f"  Tokens: {used.fresh:,} in, {used.cache_read:,} read from the cache, "
        f"{used.cache_write + used.cache_write_1h:,} written to it, {used.output:,} out"
    )
    yield f"  Cache hit rate: {shown.cache_hit_rate:.1%} (now {'warm' if shown.warm else 'cold'})"
    unpriced = (
        f" ({shown.unpriced_calls} calls without a known price)" if shown.unpriced_calls else ""
    )
    yield f"  Cost: {_dollars(shown.cost)} conversation{unpriced}"
    ignored = f", {_dollars(shown.ignored_cost)} of it ignored" if shown.ignored_cost else ""
    yield f"        {_dollars(shown.summary_cost)} compression{ignored}"


def _dollars(amount: float) -> str:
    """Cents, and what is below them where there is something (`$0.045`, `$0.0225`)."""
    sign = "-" if amount < 0 else ""
    whole, _, digits = f"{abs(amount):.{4 if abs(amount) < 1 else 2}f}".partition(".")
    return f"{sign}${whole}.{digits[:2]}{digits[2:].rstrip('0')}"
