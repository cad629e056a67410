"""The comparison: every contender's figures over a set of recordings. Pure sums, no layout."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from octochat.context.notes.identifiers import Kind
from octochat.replay.outcome import Outcome, Result, Used, total
from octochat.replay.recall import commonest

LONG = 60_000
"""Tokens above which a recording is long enough for strategies to matter."""


@dataclass(frozen=True, slots=True)
class RecallShare:
    """Of the identifiers that were used again, where they were."""

    count: int = 0
    """Identifiers, or uses of them."""
    in_context: int = 0
    recallable: int = 0
    """Not in the context, but named there as something that `recall` can fetch."""

    def __add__(self, other: "RecallShare") -> "RecallShare":
        return RecallShare(
            self.count + other.count,
            self.in_context + other.in_context,
            self.recallable + other.recallable,
        )

    @property
    def share(self) -> float | None:
        """The part that was in the context; None where nothing was used again."""
        return self.in_context / self.count if self.count else None

    @property
    def reach(self) -> float | None:
        """The part that was in the context or could be recalled."""
        return (self.in_context + self.recallable) / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class ContenderRow:
    """One contender over some recordings."""

    name: str
    cost: float | None
    """Dollars, summaries included."""
    ratio: float | None
    """`cost` as a share of what `none` cost."""
    summaries: float | None
    """Dollars for decisions and summaries."""
    mean_context: float
    """Tokens of a request, over all calls."""
    peak_context: int
    hit_rate: float
    """Share of all input that was read from the cache."""
    busts: int
    rewritten: int
    """Tokens."""
    violations: int
    too_long: int
    """Requests over the window."""
    edits: int
    freed: int
    """Tokens that the edits took out of the context."""
    far: RecallShare
    """Each identifier counts once in a recording: it was there if it was at every far use."""
    near: RecallShare
    """The same for the near uses."""
    kinds: Mapping[Kind, RecallShare]
    """The same for all uses of identifiers of a kind."""
    far_uses: RecallShare
    """Every far use counts."""
    latency: float
    """Mean seconds of a decision."""
    slowest: float
    """Seconds of the slowest decision."""


@dataclass(frozen=True, slots=True)
class Section:
    """Some recordings and how everybody did on them."""

    title: str
    recordings: int
    calls: int
    rows: tuple[ContenderRow, ...]


def sections(outcomes: Sequence[Outcome], names: Sequence[str]) -> tuple[Section, ...]:
    """All recordings, and the long ones, if there are both kinds."""
    common = commonest(frozenset(use.text for use in outcome.uses) for outcome in outcomes)
    long = [outcome for outcome in outcomes if outcome.tokens > LONG]
    groups = [("All recordings", list(outcomes))]
    if long and len(long) < len(outcomes):
        groups.append((f"Recordings over {LONG:,} tokens", long))
    return tuple(section(title, group, names, common) for title, group in groups)


def section(
    title: str, outcomes: Sequence[Outcome], names: Sequence[str], common: frozenset[str]
) -> Section:
    """The rows for these recordings; `common` names don't count for recall."""
    by_name = {name: list(_results(outcomes, name)) for name in names}
    base = total(result.total for _, result in by_name.get("none", []))
    rows = tuple(row(name, pairs, base, common) for name, pairs in by_name.items() if pairs)
    calls = sum(len(outcome.results[0].contexts) for outcome in outcomes if outcome.results)
    return Section(title, len(outcomes), calls, rows)


def row(
    name: str,
    pairs: Sequence[tuple[Outcome, Result]],
    base: float | None,
    common: frozenset[str],
) -> ContenderRow:
    """One contender's figures; `base` is what `none` cost."""
    results = [result for _, result in pairs]
    cost = total(result.total for result in results)
    contexts = [tokens for result in results for tokens in result.contexts]
    prompt = sum(result.usage.prompt for result in results)
    fates = [
        (outcome.name, use, fate)
        for outcome, result in pairs
        for use, fate in zip(outcome.uses, result.fates, strict=True)
        if use.text not in common
    ]
    decisions = sum(result.decisions for result in results)
    return ContenderRow(
        name,
        cost,
        cost / base if cost is not None and base else None,
        total(result.summary_cost for result in results),
        fmean(contexts) if contexts else 0.0,
        max(contexts, default=0),
        sum(result.usage.cache_read for result in results) / prompt if prompt else 0.0,
        sum(result.busts for result in results),
        sum(result.rewritten for result in results),
        sum(len(result.violations) for result in results),
        sum(result.too_long for result in results),
        sum(len(result.edits) for result in results),
        sum(edit.before - edit.after for result in results for edit in result.edits),
        recall(_worst(fate for fate in fates if fate[1].far)),
        recall(_worst(fate for fate in fates if not fate[1].far)),
        dict(_by_kind(fates)),
        recall(fate for _, use, fate in fates if use.far),
        sum(result.seconds for result in results) / decisions if decisions else 0.0,
        max((result.slowest for result in results), default=0.0),
    )


def recall(fates: Iterable[str]) -> RecallShare:
    """Fates, counted."""
    seen = "".join(fates)
    return RecallShare(len(seen), seen.count("c"), seen.count("r"))


def _results(outcomes: Iterable[Outcome], name: str) -> Iterable[tuple[Outcome, Result]]:
    for outcome in outcomes:
        for result in outcome.results:
            if result.contender == name:
                yield outcome, result


def _by_kind(fates: Sequence[tuple[str, Used, str]]) -> Iterable[tuple[Kind, RecallShare]]:
    kinds: set[Kind] = {use.kind for _, use, _ in fates}
    for kind in sorted(kinds):
        yield kind, recall(_worst(fate for fate in fates if fate[1].kind == kind))


def _worst(fates: Iterable[tuple[str, Used, str]]) -> Iterable[str]:
    """For each identifier of each recording the worst that happened to it."""
    worst: dict[tuple[str, str], str] = {}
    for recording, use, fate in fates:
        known = worst.get((recording, use.text), fate)
        worst[recording, use.text] = min(known, fate, key=_ORDER.index)
    return worst.values()


_ORDER = "lrc"
"""Lost, to be recalled, in the context: from bad to good."""
