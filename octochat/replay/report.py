"""The comparison: every contender's figures over a set of recordings. Pure sums, no layout.

Outcomes are added up as they come, in any order, and let go.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from octochat.context.session.events import Usage
from octochat.replay.agent_summaries import SummaryComparison
from octochat.replay.identifier_recall import IdentifierRecall, RecallShare
from octochat.replay.interval import SCALE, Estimate, Sample
from octochat.replay.outcome import Outcome, Result
from octochat.replay.rare_words import ShownCount

LONG = 60_000
"""Tokens above which a recording is long enough for strategies to matter."""


@dataclass(frozen=True, slots=True)
class ContenderRow:
    """One contender over some recordings."""

    name: str
    cost: float | None
    """Dollars, summaries included."""
    summaries: float | None
    """Dollars for decisions and summaries."""
    peak_context: int
    """Tokens."""
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
    calls_expected: int
    """Calls to come that the edits were reckoned with, summed."""
    calls_came: int
    """Calls that came after them, summed."""
    identifier_recall: IdentifierRecall
    """Identifiers that were used again."""
    cost_ratio: Estimate
    """`cost` as a share of what `none` cost."""
    mean: Estimate
    """Tokens of a request, over all calls."""
    far: Estimate
    """Of the identifiers, each once in a recording, those there at every far use."""
    rare_far: Estimate
    """Of the rare words that are written again, last seen long ago: those in the context."""
    rare_mean: Estimate
    """The same, as the mean of the recordings."""
    rare_near: Estimate
    """The same of rare words that were last seen since."""
    evidence: Estimate
    """Of the messages that answer a question, those in the context; the mean of the questions."""
    some_evidence: Estimate
    """Questions for which there is any."""
    answer: Estimate
    """Of the words of a question's answer, those in the context; the mean of the questions."""
    latency: float
    """Mean seconds of a decision."""
    slowest: float
    """Seconds of the slowest decision."""

    @property
    def ratio(self) -> float | None:
        """`cost` as a share of what `none` cost."""
        return self.cost_ratio.value

    @property
    def mean_context(self) -> float:
        """Tokens of a request, over all calls."""
        return self.mean.value or 0.0

    @property
    def near(self) -> RecallShare:
        """Near uses of identifiers."""
        return self.identifier_recall.near


@dataclass(frozen=True, slots=True)
class Section:
    """Some recordings and how everybody did on them."""

    title: str
    recordings: int
    calls: int
    rows: tuple[ContenderRow, ...]
    models: Mapping[str, int]
    """Recordings by the model whose prices they were played with."""
    questions: int
    found: Estimate
    """Questions for which one search finds something that answers them."""
    summaries: int
    """Those that recorded agents wrote themselves."""
    agent_summaries: Mapping[str, Estimate]
    """What notes and the summaries keep: the fields of `SummaryComparison`."""


@dataclass(slots=True)
class _Sums:
    """One contender, as outcomes come."""

    samples: defaultdict[str, Sample] = field(default_factory=lambda: defaultdict(Sample))
    counts: Counter[str] = field(default_factory=Counter[str])
    unpriced: bool = False
    usage: Usage = Usage()
    identifier_recall: IdentifierRecall = IdentifierRecall()
    peak: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def take(self, place: int, result: Result, base: float | None) -> None:
        self._bill(place, result, base)
        self._kept(place, result)
        self.usage += result.usage
        self.identifier_recall += result.identifier_recall
        self.peak = max(self.peak, *result.contexts, 0)
        self.seconds += result.seconds
        self.slowest = max(self.slowest, result.slowest)
        self.counts.update(
            busts=result.busts,
            rewritten=result.rewritten,
            violations=len(result.violations),
            too_long=result.too_long,
            edits=len(result.edits),
            freed=sum(edit.before - edit.after for edit in result.edits),
            expected=result.calls_expected,
            came=result.calls_came,
            decisions=result.decisions,
        )

    def _bill(self, place: int, result: Result, base: float | None) -> None:
        self.samples["mean"].add(place, sum(result.contexts), len(result.contexts))
        if result.total is None or result.summary_cost is None:
            self.unpriced = True
            return
        self.counts["cost"] += _whole(result.total)
        self.counts["summaries"] += _whole(result.summary_cost)
        if base:
            self.samples["cost"].add(place, _whole(result.total), _whole(base))

    def _kept(self, place: int, result: Result) -> None:
        add = self.samples
        far = result.identifier_recall.far
        add["far"].add(place, far.in_context, far.count)
        add["rare_far"].add(place, result.rare_far.present, result.rare_far.count)
        add["rare_near"].add(place, result.rare_near.present, result.rare_near.count)
        _add_share(add["rare_mean"], place, result.rare_far)
        for answer in result.answers:
            _add_share(add["evidence"], place, answer.evidence)
            add["some"].add(place, answer.evidence.present > 0, 1)
            _add_share(add["answer"], place, answer.answer)

    def row(self, name: str) -> ContenderRow:
        counts, samples, prompt = self.counts, self.samples, self.usage.prompt
        return ContenderRow(
            name,
            None if self.unpriced else counts["cost"] / SCALE,
            None if self.unpriced else counts["summaries"] / SCALE,
            self.peak,
            self.usage.cache_read / prompt if prompt else 0.0,
            counts["busts"],
            counts["rewritten"],
            counts["violations"],
            counts["too_long"],
            counts["edits"],
            counts["freed"],
            counts["expected"],
            counts["came"],
            self.identifier_recall,
            Estimate() if self.unpriced else samples["cost"].estimate(),
            samples["mean"].estimate(),
            samples["far"].estimate(),
            samples["rare_far"].estimate(),
            samples["rare_mean"].estimate(SCALE),
            samples["rare_near"].estimate(),
            samples["evidence"].estimate(SCALE),
            samples["some"].estimate(),
            samples["answer"].estimate(SCALE),
            self.seconds / counts["decisions"] if counts["decisions"] else 0.0,
            self.slowest,
        )


@dataclass(slots=True)
class _Group:
    """Some of the recordings, as outcomes come."""

    title: str
    recordings: int = 0
    calls: int = 0
    questions: int = 0
    models: Counter[str] = field(default_factory=Counter[str])
    agent_summaries: SummaryComparison = SummaryComparison()
    sums: defaultdict[str, _Sums] = field(default_factory=lambda: defaultdict(_Sums))
    samples: defaultdict[str, Sample] = field(default_factory=lambda: defaultdict(Sample))

    def take(self, place: int, outcome: Outcome) -> None:
        self.recordings += 1
        self.calls += len(outcome.results[0].contexts) if outcome.results else 0
        self.questions += outcome.found.count
        self.models[outcome.model] += 1
        self.agent_summaries += outcome.agent_summaries
        self.samples["found"].add(place, outcome.found.present, outcome.found.count)
        for name in AGENT_SUMMARIES:
            seen: ShownCount = getattr(outcome.agent_summaries, name)
            self.samples[name].add(place, seen.present, seen.count)
        base = next((each.total for each in outcome.results if each.contender == "none"), None)
        for result in outcome.results:
            self.sums[result.contender].take(place, result, base)

    def section(self, names: Sequence[str]) -> Section:
        return Section(
            self.title,
            self.recordings,
            self.calls,
            tuple(self.sums[name].row(name) for name in names if name in self.sums),
            dict(sorted(self.models.items())),
            self.questions,
            self.samples["found"].estimate(),
            self.agent_summaries.summaries,
            {name: self.samples[name].estimate() for name in AGENT_SUMMARIES},
        )


AGENT_SUMMARIES = tuple(each.name for each in fields(SummaryComparison) if each.name != "summaries")
"""What is counted in them."""


@dataclass(slots=True)
class Comparison:
    """All recordings, and the long ones, as they are done."""

    names: Sequence[str]
    """Who takes part, in the order of the rows."""
    whole: _Group = field(default_factory=lambda: _Group("All recordings"))
    long: _Group = field(default_factory=lambda: _Group(f"Recordings over {LONG:,} tokens"))

    def take(self, place: int, outcome: Outcome) -> None:
        """One more recording, and its place in the run."""
        self.whole.take(place, outcome)
        if outcome.tokens > LONG:
            self.long.take(place, outcome)

    def sections(self) -> tuple[Section, ...]:
        """All recordings, and the long ones, if there are both kinds."""
        both = 0 < self.long.recordings < self.whole.recordings
        groups = (self.whole, self.long) if both else (self.whole,)
        return tuple(group.section(self.names) for group in groups)


def sections(outcomes: Iterable[Outcome], names: Sequence[str]) -> tuple[Section, ...]:
    """The comparison of these outcomes."""
    comparison = Comparison(names)
    for place, outcome in enumerate(outcomes):
        comparison.take(place, outcome)
    return comparison.sections()


def _add_share(sample: Sample, place: int, seen: ShownCount) -> None:
    if seen.share is not None:
        sample.add(place, _whole(seen.share), 1)


def _whole(value: float) -> int:
    return round(value * SCALE)
