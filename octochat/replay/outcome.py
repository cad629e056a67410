"""What is kept of the plays of one recording: small enough to travel between processes."""

from collections.abc import Iterable
from dataclasses import dataclass

from octochat.context.session.events import Usage
from octochat.replay.agent_summaries import SummaryComparison
from octochat.replay.evidence import Answerable
from octochat.replay.identifier_recall import IdentifierRecall
from octochat.replay.play import Play, RecordedEdit
from octochat.replay.rare_words import ShownCount


@dataclass(frozen=True, slots=True)
class Result:
    """How one contender did on one recording."""

    contender: str
    usage: Usage
    """Of the conversation's own calls."""
    cost: float | None
    """Dollars of the conversation's own calls; None for an unpriced model."""
    summary_cost: float | None
    """Dollars for decisions and summaries."""
    contexts: tuple[int, ...]
    """Tokens of each request."""
    edits: tuple[RecordedEdit, ...]
    busts: int
    """Requests that broke a living cache entry."""
    rewritten: int
    """Tokens written to the cache although they had been sent before."""
    violations: tuple[str, ...]
    too_long: int
    identifier_recall: IdentifierRecall
    """Identifiers that were used again."""
    rare_far: ShownCount
    """Rare words that were written again, last seen long ago."""
    rare_near: ShownCount
    """The same, last seen since."""
    answers: tuple[Answerable, ...]
    """For each question about the recording."""
    decisions: int
    seconds: float
    """Time that all decisions took."""
    slowest: float
    """Time that the longest decision took, in seconds."""

    @property
    def calls_expected(self) -> int:
        """Calls to come that the edits were reckoned with, summed."""
        return sum(edit.expected or 0 for edit in self.edits)

    @property
    def calls_came(self) -> int:
        """Calls that came after these edits, summed."""
        weighed = (edit for edit in self.edits if edit.expected is not None)
        return sum(len(self.contexts) - edit.call for edit in weighed)

    @property
    def total(self) -> float | None:
        """Dollars, summaries included."""
        if self.cost is None or self.summary_cost is None:
            return None
        return self.cost + self.summary_cost


@dataclass(frozen=True, slots=True)
class Outcome:
    """One recording with all its contenders."""

    name: str
    tokens: int
    """The whole conversation."""
    results: tuple[Result, ...]
    faults: tuple[str, ...] = ()
    """What could not be read of it, and who failed at it."""
    model: str = ""
    """Whose prices and window the baselines had."""
    found: ShownCount = ShownCount()
    """Questions, and those for which one search finds something that answers them."""
    agent_summaries: SummaryComparison = SummaryComparison()
    """A note beside the recorded agent's own summaries."""


def result(contender: str, play: Play, identifier_recall: IdentifierRecall) -> Result:
    """A play, summed up."""
    usage = sum((call.usage for call in play.calls), Usage())
    return Result(
        contender,
        usage,
        total(call.cost for call in play.calls),
        total(play.summaries),
        tuple(call.usage.prompt for call in play.calls),
        play.edits,
        sum(call.bust for call in play.calls),
        sum(call.rewritten for call in play.calls),
        play.violations,
        play.too_long,
        identifier_recall,
        play.rare_far,
        play.rare_near,
        play.answers,
        play.timer.count,
        play.timer.seconds,
        play.timer.slowest,
    )


def total(costs: Iterable[float | None]) -> float | None:
    """The sum; None if a part is unknown."""
    known: list[float] = []
    for cost in costs:
        if cost is None:
            return None
        known.append(cost)
    return sum(known)
