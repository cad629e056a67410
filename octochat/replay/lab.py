"""The experiment: one file, all contenders. This is what a worker process does."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from octochat.context.plans.strategy import Strategy
from octochat.replay.baselines import Oracle, Random, Targets
from octochat.replay.bill import Setting
from octochat.replay.outcome import Outcome, Result, result, used
from octochat.replay.play import Play, Score, play
from octochat.replay.readers import read
from octochat.replay.recording import ParsedRecording, recorded
from octochat.replay.weights import weigh

NONE = "none"
BASELINES = (NONE, Random.name, Oracle.name)


@dataclass(frozen=True, slots=True)
class Contender:
    """A pipeline of strategies that takes part, in the world of its configuration."""

    name: str
    pipeline: tuple[Strategy, ...]
    setting: Setting


@dataclass(frozen=True, slots=True)
class Experiment:
    """Who takes part, and what holds for all of them."""

    contenders: tuple[Contender, ...]
    setting: Setting
    """Of the baselines."""
    pace: float
    """Seconds that a person takes, where no times were recorded."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that take part, baselines first."""
        return (*BASELINES, *(contender.name for contender in self.contenders))

    @property
    def reference(self) -> int | None:
        """The contender whose sizes `random` and `oracle` copy: pressure, or else the first."""
        names = [contender.name for contender in self.contenders]
        if not names:
            return None
        return names.index("pressure") if "pressure" in names else 0


def run_file(experiment: Experiment, path: Path) -> Outcome:
    """Read a file and play it with everybody.

    Raises:
        ReadError: there is no conversation in it.
    """
    return run(experiment, read(path))


def run(experiment: Experiment, transcript: ParsedRecording) -> Outcome:
    """Play a conversation with everybody."""
    score = Score.of(recorded(transcript, weigh, experiment.pace))
    plays = [
        (contender.name, play(score, contender.pipeline, contender.setting, perf_counter))
        for contender in experiment.contenders
    ]
    reference = experiment.reference
    targets: Targets = {} if reference is None else _targets(plays[reference][1])
    baselines: Sequence[tuple[str, tuple[Strategy, ...]]] = (
        (NONE, ()),
        (Random.name, (Random(targets),)),
        (Oracle.name, (Oracle(targets, score.uses, score.words),)),
    )
    results: list[Result] = [
        result(name, play(score, pipeline, experiment.setting, perf_counter))
        for name, pipeline in baselines
    ]
    results += (result(name, played) for name, played in plays)
    recording = score.recording
    failed = (f"{by}: {why}" for _, played in plays for by, why in played.looks.failures.items())
    faults = (*recording.faults, *failed)
    return Outcome(recording.name, recording.tokens, used(score.uses), tuple(results), faults)


def _targets(played: Play) -> Targets:
    """At which calls the context was changed, and how much was left."""
    return {edit.call: played.calls[edit.call].usage.prompt for edit in played.edits}
