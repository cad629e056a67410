"""`octochat replay`: the two passes, the progress bar, and where the comparison goes."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from octochat.config.imported import files_of
from octochat.config.load import Config, known_here
from octochat.config.strategies import KnownStrategies
from octochat.replay.arguments import parser
from octochat.replay.as_json import as_json, recording_json
from octochat.replay.contenders import (
    ContenderError,
    all_contenders,
    configured,
    named,
    setting_of,
)
from octochat.replay.lab import Contender, Experiment, run_raw, survey_raw
from octochat.replay.outcome import Outcome
from octochat.replay.page import conversation, page
from octochat.replay.play_setting import PlaySetting
from octochat.replay.pool import Machines, MachinesError, OneProcess, Processes, cluster
from octochat.replay.readers import files, part_of
from octochat.replay.recording import RawRecording, ReadError
from octochat.replay.report import Comparison
from octochat.replay.spool import Spool
from octochat.replay.survey import Survey
from octochat.replay.table import table
from octochat.storage.sessions import NoSessionError, find
from octochat.text.exit_codes import FAILED, INTERRUPTED, MISUSED, OK

T = TypeVar("T")

DESCRIBED: Mapping[str, Callable[[Outcome], str]] = {
    "json": recording_json,
    "html": conversation,
}
"""What a document says of each recording, by its format."""


@dataclass(slots=True)
class PartialResults:
    """What is done so far: sums, and on the disk what is said of each recording."""

    comparison: Comparison
    spool: Spool
    describe: Callable[[Outcome], str] | None
    """What the document says of one recording; None if it says nothing."""
    faults: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """By the place of the file."""

    @property
    def done(self) -> int:
        """Recordings."""
        return self.comparison.whole.recordings

    def take(self, place: int, outcome: Outcome | ReadError) -> None:
        """One more file."""
        if isinstance(outcome, ReadError):
            self.faults[place] = (str(outcome),)
            return
        self.comparison.take(place, outcome)
        if outcome.faults:
            self.faults[place] = tuple(f"{outcome.name}: {fault}" for fault in outcome.faults)
        if self.describe:
            self.spool.add(place, outcome.tokens, self.describe(outcome))

    def all_faults(self) -> list[str]:
        """What was left out, in the order of the files."""
        return [fault for place in sorted(self.faults) for fault in self.faults[place]]


def main(argv: Sequence[str]) -> int:
    """Run `octochat replay` with these arguments; returns the exit status."""
    arguments = parser().parse_args(argv)
    try:
        everything = list(files(_paths(arguments)))
        paths = part_of(everything, arguments.part)
        experiment = _experiment(arguments)
        machines = _machines(arguments, experiment, len(paths))
    except (ReadError, NoSessionError, ContenderError, MachinesError) as error:
        return _complain(str(error))
    with closing(machines), Spool() as spool:
        found = PartialResults(Comparison(experiment.names), spool, DESCRIBED.get(arguments.format))
        try:
            experiment = _surveyed(experiment, everything, machines)
            status = _run(experiment, paths, machines, found)
        except MachinesError as error:
            return _complain(str(error))
        except KeyboardInterrupt:
            return INTERRUPTED
        if not found.done:
            for fault in found.all_faults():
                _complain(fault)
            return status or _complain("no recording could be played")
        return _write(_text(arguments, experiment, found), arguments.out) or status


def _paths(arguments: argparse.Namespace) -> list[Path]:
    """The recordings that were asked for.

    Raises:
        ReadError: none was.
        NoSessionError: there is no such session.
    """
    paths: list[Path] = list(arguments.paths)
    if arguments.session:
        paths.append(find(arguments.session))
    if not paths:
        raise ReadError("name files or folders, or a session with --session ID")
    return paths


def _experiment(arguments: argparse.Namespace) -> Experiment:
    setting = setting_of(Config(), arguments.model, arguments.window)
    known = known_here(Path.cwd())
    for notice in known.notices:
        _complain(notice)
    contenders: list[Contender] = []
    if arguments.strategies:
        contenders += _named(arguments.strategies, setting, known)
    contenders += (configured(p, arguments.model, arguments.window) for p in arguments.config)
    if not arguments.strategies and not arguments.config:
        contenders = list(all_contenders(setting, known))
    return Experiment(tuple(contenders), setting, arguments.pace)


def _machines(arguments: argparse.Namespace, experiment: Experiment, files_: int) -> Machines:
    """Who plays the recordings.

    Raises:
        MachinesError: the cluster can't.
    """
    code = files_of(each for one in experiment.contenders for each in one.pipeline)
    if arguments.scheduler and code:
        raise MachinesError(f"{code[0]} is not on the workers: install your strategies there")
    if arguments.scheduler:
        return cluster(arguments.scheduler)
    jobs = min(arguments.jobs, files_)
    return Processes(jobs, code) if jobs > 1 else OneProcess()


def _surveyed(experiment: Experiment, paths: Sequence[Path], machines: Machines) -> Experiment:
    """The experiment, knowing what is common in all the recordings, whichever part is played."""
    survey = Survey()
    with _bar(Console(stderr=True)) as bar:
        for _, vocabulary in _each(bar, "survey", machines, survey_raw, paths):
            if not isinstance(vocabulary, ReadError):
                survey.take(vocabulary)
    return replace(experiment, common=survey.common())


def _named(text: str, setting: PlaySetting, known: KnownStrategies) -> Sequence[Contender]:
    """Those of `--strategies` that can take part; what is wrong with the others is told.

    Raises:
        ContenderError: none can.
    """
    good, wrong = named(text, setting, known)
    if wrong and not good:
        raise ContenderError("; ".join(map(str, wrong)))
    for error in wrong:
        _complain(str(error))
    return good


def _run(
    experiment: Experiment, paths: Sequence[Path], machines: Machines, found: PartialResults
) -> int:
    console = Console(stderr=True)
    try:
        with _bar(console) as bar:
            play = partial(run_raw, experiment)
            for place, outcome in _each(bar, "replay", machines, play, paths):
                found.take(place, outcome)
    except KeyboardInterrupt:
        console.print(f"Stopped: {found.done} of {len(paths)} recordings are done.")
        return INTERRUPTED
    return OK


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _each(
    bar: Progress,
    title: str,
    machines: Machines,
    work: Callable[[RawRecording], T],
    paths: Sequence[Path],
) -> Iterator[tuple[int, T | ReadError]]:
    task = bar.add_task(title, total=len(paths))
    with closing(machines.each(work, paths)) as stream:
        for found in stream:
            yield found
            bar.advance(task)


def _text(
    arguments: argparse.Namespace, experiment: Experiment, found: PartialResults
) -> Iterator[str]:
    parts, faults = found.comparison.sections(), found.all_faults()
    match arguments.format:
        case "json":
            yield from as_json(parts, found.spool, faults, timing=arguments.timing)
        case "html":
            yield from page(parts, found.spool, faults, _world(experiment))
        case _:
            yield table(parts, faults, timing=arguments.timing)


def _world(experiment: Experiment) -> str:
    """What the recordings were played in, in words."""
    setting = experiment.setting
    whose = (
        f"The prices of the recorded model, or of {setting.info.name} where nobody knows them,"
        if setting.of_model
        else f"The prices of {setting.info.name}"
    )
    writers = ", ".join(writer.model for writer in setting.writers)
    return (
        f"{whose} and window; a cache that lives {setting.ttl} seconds; {experiment.pace:g} "
        f"seconds between a person's turns where no time was recorded; notes written by the "
        f"extractive summariser and billed as {writers} would have."
    )


def _write(text: Iterable[str], out: Path | None) -> int:
    if out is None:
        sys.stdout.writelines(text)
        return OK
    try:
        with out.open("w", encoding="utf-8") as file:
            file.writelines(text)
    except OSError as error:
        _complain(f"{out}: {error.strerror}")
        return FAILED
    return OK


def _complain(text: str) -> int:
    sys.stderr.write(f"octochat replay: {text}\n")
    return MISUSED
