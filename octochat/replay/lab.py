"""The experiment: one file, all contenders. This is what a worker process does."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TypeVar

from octochat.context.plans.strategy import Strategy, leveled
from octochat.replay.agent_summaries import SummaryComparison, compare_summaries
from octochat.replay.baselines import Oracle, Random, Targets
from octochat.replay.evidence import found, questions
from octochat.replay.identifier_recall import identifier_recall
from octochat.replay.outcome import Outcome, Result, result
from octochat.replay.play import Play, Score
from octochat.replay.play_setting import PlaySetting
from octochat.replay.readers import parsed
from octochat.replay.recall_search import Search, by_index
from octochat.replay.recording import ParsedRecording, RawRecording, ReadError, recorded
from octochat.replay.side_by_side import play_side_by_side
from octochat.replay.survey import NOTHING, Common, Vocabulary, surveyed
from octochat.replay.weights import weigh

T = TypeVar("T")

NONE = "none"
BASELINES = (NONE, Random.name, Oracle.name)


@dataclass(frozen=True, slots=True)
class Contender:
    """A pipeline of strategies that takes part, in the world of its configuration."""

    name: str
    pipeline: tuple[Strategy, ...]
    setting: PlaySetting


@dataclass(frozen=True, slots=True)
class Experiment:
    """Who takes part, and what holds for all of them."""

    contenders: tuple[Contender, ...]
    setting: PlaySetting
    """Of the baselines."""
    pace: float
    """Seconds that a person takes, where no times were recorded."""
    common: Common = NOTHING
    """What so many of the recordings have that it does not count."""
    search: Search = by_index
    """What `recall` finds."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that take part, baselines first."""
        return (*BASELINES, *(contender.name for contender in self.contenders))

    @property
    def reference(self) -> int | None:
        """The contender whose sizes `random` and `oracle` copy: the first with levels, if any."""
        with_levels = (n for n, each in enumerate(self.contenders) if leveled(each.pipeline))
        return next(with_levels, 0 if self.contenders else None)


def run_raw(experiment: Experiment, raw: RawRecording) -> Outcome:
    """Play a file, and measure it by what stands beside it.

    Raises:
        ReadError: there is no conversation in it.
    """
    return run(experiment, parsed(raw), raw.questions, raw.summaries)


def survey_raw(raw: RawRecording) -> Vocabulary:
    """What a file adds to the survey of all recordings.

    Raises:
        ReadError: there is no conversation in it.
    """
    return surveyed(recorded(parsed(raw), weigh, 0.0).entries)


def run(
    experiment: Experiment,
    transcript: ParsedRecording,
    asked: bytes | None = None,
    summaries: bytes | None = None,
) -> Outcome:
    """Play a conversation with everybody.

    Args:
        experiment: Who takes part.
        transcript: The conversation.
        asked: Questions about it, as JSON.
        summaries: What the recorded agent wrote when it compacted, as JSON.
    """
    recording = recorded(transcript, weigh, experiment.pace)
    faults = list(recording.faults)
    about = _or_fault(partial(questions, asked, recording), (), faults)
    note = _or_fault(
        partial(compare_summaries, summaries, recording, experiment.common.words),
        SummaryComparison(),
        faults,
    )
    score = Score.of(recording, experiment.common, about)
    setting = experiment.setting.of(transcript.opened.model)
    results = tuple(_results(experiment, score, transcript.opened.model, faults))
    return Outcome(
        recording.name,
        recording.tokens,
        results,
        tuple(faults),
        setting.info.name,
        found(experiment.search, score.exam, recording.entries),
        note,
    )


def _results(
    experiment: Experiment, score: Score, model: str, faults: list[str]
) -> Iterator[Result]:
    """The baselines', then the contenders'; who failed is told in `faults`."""

    def told(name: str, played: Play) -> Result:
        kept = identifier_recall(score.uses, played.fates, experiment.common.names)
        return result(name, played, kept)

    setting = experiment.setting.of(model)
    parts = [(each.pipeline, each.setting.of(model)) for each in experiment.contenders]
    # `none` goes along: until somebody acts, everybody's play is its own.
    none, *plays = play_side_by_side(score, [((), setting), *parts], perf_counter)
    faults += (f"{by}: {why}" for each in plays for by, why in each.timer.failures.items())
    reference = experiment.reference
    targets: Targets = {} if reference is None else _targets(plays[reference])
    copying = (Random(targets), Oracle(targets, score.uses, score.names))
    copies = play_side_by_side(score, [((each,), setting) for each in copying], perf_counter)
    yield from map(told, experiment.names, (none, *copies, *plays))


def _or_fault(made: Callable[[], T], otherwise: T, faults: list[str]) -> T:
    """What is made, or the other with a fault that says why not."""
    try:
        return made()
    except ReadError as error:
        faults.append(str(error))
        return otherwise


def _targets(played: Play) -> Targets:
    """At which calls the context was changed, and how much was left."""
    return {edit.call: played.calls[edit.call].usage.prompt for edit in played.edits}
