"""`/info` in words: compression statistics, the context now, what each strategy would do, money."""

from collections.abc import Iterator

from octochat.context.economics.prices import FREE, Rates
from octochat.context.plans.report import Compressions, Info
from octochat.text.figures import count, dollars


def info_text(shown: Info) -> str:
    """`/info`."""
    lines = (
        *_seed_block(shown.compressions),
        "",
        *_context(shown),
        "",
        *_strategies(shown),
        "",
        *_money(shown),
    )
    return "\n".join(lines)


def _seed_block(made: Compressions) -> Iterator[str]:
    """Octomind's block, to the letter ("Use /info to see compression statistics")."""
    yield "Compression Statistics:"
    yield f"  Total compressions: {made.total}"
    if not made.total:
        return
    yield f"  Average reduction: {made.average_reduction:.1%}"
    yield f"  Total tokens saved: {made.tokens_saved:,}"
    yield f"  Cost saved: {_seed_dollars(made.cost_saved)}"
    yield ""
    yield "  Last compression:"
    yield f"    Before: {made.last_before:,} tokens"
    ratio = made.last_before / max(made.last_after, 1)
    yield f"    After: {made.last_after:,} tokens ({ratio:.1f}x compression)"
    yield f"    Cost saved: {_seed_dollars(made.last_cost_saved)}"


def _context(shown: Info) -> Iterator[str]:
    yield f"Context: {shown.size:,} of {shown.limit:,} tokens (window {shown.window:,})"
    for part in shown.parts:
        yield f"  {part.name}: {part.tokens:,}"
    for n, level in enumerate(shown.levels, 1):
        away = "reached" if level.reached else f"{level.threshold - shown.size:,} tokens away"
        built_in = level.built_in
        scaled = f"; {built_in:,} -> {level.threshold:,} for this window" if built_in else ""
        yield f"  Level {n}: {level.threshold:,} tokens, {level.ratio:g}x ({away}{scaled})"
    made = shown.compressions
    if made.trims:
        yield f"  Trims of old results: {made.trims}, {made.tokens_trimmed:,} tokens freed"
    for each in made.trimmed_by:
        yield (
            f"    {each.by}: {count(each.tool_results_cleaned, 'tool result')} cleaned, "
            f"{each.tokens_saved:,} tokens saved ({each.compression_ratio:.0%} of the context left)"
        )
    recalls = shown.recalls
    if recalls.times:
        yield (
            f"  Recalled behind prompts: {count(recalls.times, 'time')}, "
            f"{count(recalls.passages, 'passage')}, {recalls.tokens:,} tokens, "
            f"{dollars(recalls.cost)}"
        )


def _strategies(shown: Info) -> Iterator[str]:
    yield "Now:"
    for look in shown.outlook:
        yield f"  {look.strategy}: {'would act: ' if look.acts else 'holds: '}{look.why}"
        if (worth := look.worth) is not None:
            yield (
                f"    over {count(worth.calls, 'call')}: {dollars(worth.without)} without, "
                f"{dollars(worth.with_edit)} with it ({dollars(worth.summary)} of it for the note)"
            )
    if shown.cooldown is not None:
        yield f"  cooldown: the next compression is tried at {shown.cooldown:,} tokens"
    yield f"  notes: {_notes(shown)}"
    yield from (f"  {line}" for line in shown.origins)


def _notes(shown: Info) -> str:
    by = " or ".join(shown.writers)
    who = f"written by {by}" if by else "written by code, without a model"
    cheaper = ", whichever is cheaper" if len(shown.writers) > 1 else ""
    guided = ", with your guidance" if by and shown.guidance else ""
    ahead = "; one is written ahead" if shown.writing_ahead else ""
    return f"{who}{cheaper}{guided}{ahead}"


def _money(shown: Info) -> Iterator[str]:
    used = shown.usage
    yield f"Model: {shown.model} ({_prices(shown.prices)})"
    yield f"  Calls: {shown.calls} so far, {shown.expected_calls} more expected"
    yield (
        f"  Tokens: {used.fresh:,} in, {used.cache_read:,} read from the cache, "
        f"{used.cache_write + used.cache_write_1h:,} written to it, {used.output:,} out"
    )
    yield f"  Cache hit rate: {shown.cache_hit_rate:.1%} (now {'warm' if shown.warm else 'cold'})"
    missing = count(shown.unpriced_calls, "call")
    unpriced = f" ({missing} without a known price)" if shown.unpriced_calls else ""
    yield f"  Cost: {dollars(shown.cost)} conversation{unpriced}"
    ignored = f", {dollars(shown.ignored_cost)} of it ignored" if shown.ignored_cost else ""
    missing = count(shown.unpriced_summaries, "note")
    unpriced = f" ({missing} without a known price)" if shown.unpriced_summaries else ""
    yield f"        {dollars(shown.summary_cost)} compression{ignored}{unpriced}"
    yield from _warmth(shown)
    yield from saved_lines(shown)


def saved_lines(shown: Info) -> Iterator[str]:
    """What compressing is reckoned to have saved; nothing where nothing was compressed."""
    made = shown.compressions
    if made.calls_expected:
        yield (
            f"  Saved by compressing, its own cost taken off: {dollars(made.cost_saved)} expected "
            f"over {count(made.calls_expected, 'call')}; {dollars(made.cost_saved_so_far)} so far, "
            f"over {made.calls_came:,}"
        )


def _warmth(shown: Info) -> Iterator[str]:
    kept, coming = shown.kept_warm, shown.next_warmth
    if kept.calls:
        yield f"        {dollars(kept.cost)} keeping the cache warm ({count(kept.calls, 'call')})"
    if coming:
        yield f"  The cache is kept warm: the next call for that costs {dollars(coming.cost)}"


def _seed_dollars(amount: float) -> str:
    """Octomind's form: cents, and what is below them if there is any (`$0.045`, `$0.0225`)."""
    sign = "-" if amount < 0 else ""
    whole, _, digits = f"{abs(amount):.{4 if abs(amount) < 1 else 2}f}".partition(".")
    return f"{sign}${whole}.{digits[:2]}{digits[2:].rstrip('0')}"


def _prices(rates: Rates | None) -> str:
    if rates is None:
        return "unpriced"
    if rates == FREE:
        return "free"
    return (
        f"${rates.input:g} in, ${rates.output:g} out, ${rates.cache_write:g} cache write, "
        f"${rates.cache_read:g} cache read, a million tokens"
    )
