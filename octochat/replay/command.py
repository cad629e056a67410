"""`octochat replay`: the arguments, the progress bar, and where the comparison goes."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from octochat.config.load import Config, known_here
from octochat.replay.contenders import (
    ContenderError,
    configured,
    everybody,
    named,
    setting_of,
)
from octochat.replay.lab import Contender, Experiment
from octochat.replay.outcome import Outcome
from octochat.replay.page import page
from octochat.replay.pool import outcomes
from octochat.replay.readers import files
from octochat.replay.recording import ReadError
from octochat.replay.report import sections
from octochat.replay.table import as_json, table
from octochat.storage.sessions import NoSessionError, find
from octochat.text.exit_codes import INTERRUPTED

PACE = 180.0
"""Seconds that a person takes between turns, where no times were recorded."""

DESCRIPTION = """\
Play recorded conversations through context strategies and compare what they cost and what they
lose, without asking any model. Reads octochat's own logs, Messages-API JSONL, and session files of
Claude Code."""
EPILOG = """\
examples:
  octochat replay talks/ --strategies pressure,fifo
  octochat replay talk.jsonl --strategies "ttl_prune+pressure,fifo{max_tokens=60000,low_water=0.5}"
  octochat replay talks/ --config a.toml --config b.toml --format html --out lab.html
  octochat replay --session 20261121-0930     (would another strategy have been cheaper here?)"""


@dataclass(slots=True)
class PlaysSoFar:
    """What is done so far."""

    outcomes: dict[int, Outcome] = field(default_factory=dict[int, Outcome])
    """By the place of the file."""
    faults: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])

    def take(self, place: int, outcome: Outcome | ReadError) -> None:
        """One more file."""
        if isinstance(outcome, ReadError):
            self.faults[place] = (str(outcome),)
        else:
            self.outcomes[place] = outcome
            self.faults[place] = tuple(f"{outcome.name}: {fault}" for fault in outcome.faults)


def main(argv: Sequence[str]) -> int:
    """Run `octochat replay` with these arguments; returns the exit status."""
    arguments = parser().parse_args(argv)
    try:
        paths = list(files(_paths(arguments)))
        experiment = _experiment(arguments)
    except (ReadError, NoSessionError, ContenderError) as error:
        return _complain(str(error))
    found = PlaysSoFar()
    status = _run(experiment, paths, arguments.jobs, found)
    if not found.outcomes:
        for fault in _faults(found):
            _complain(fault)
        return status or _complain("nothing could be played")
    return _write(_text(arguments, experiment, found), arguments.out) or status


def parser() -> argparse.ArgumentParser:
    """The arguments of `octochat replay`."""
    made = argparse.ArgumentParser(
        prog="octochat replay",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("paths", nargs="*", type=Path, metavar="FILE_OR_FOLDER", help="recordings (*.jsonl)")
    add("--session", metavar="ID", help="one of your own sessions")
    who = "who takes part, one of yours as my_module:DropFailures (default: every strategy)"
    add("--strategies", metavar="A,B,C", help=who)
    add(
        "--config",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the pipeline of a configuration file takes part; may be given again",
    )
    add("--model", metavar="NAME", help="whose prices and window (default: claude-sonnet-5-5)")
    add("--window", type=_positive, metavar="N", help="another window, in tokens")
    add(
        "--pace",
        type=_seconds,
        default=PACE,
        metavar="SECONDS",
        help="time between a person's turns where none was recorded (default: %(default)g)",
    )
    add("--format", choices=("table", "json", "html"), default="table")
    add("--out", type=Path, metavar="FILE", help="write there (default: standard output)")
    add(
        "--jobs",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes (default: %(default)s)",
    )
    add("--timing", action="store_true", help="report how long decisions took, too")
    return made


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise ValueError
    return seconds


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
        contenders += named(arguments.strategies, setting, known)
    contenders += (configured(p, arguments.model, arguments.window) for p in arguments.config)
    contenders = contenders or list(everybody(setting, known))
    return Experiment(tuple(contenders), setting, arguments.pace)


def _run(experiment: Experiment, paths: Sequence[Path], jobs: int, found: PlaysSoFar) -> int:
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("replay"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    try:
        with bar, closing(outcomes(experiment, paths, jobs)) as stream:
            task = bar.add_task("replay", total=len(paths))
            for place, outcome in stream:
                found.take(place, outcome)
                bar.advance(task)
    except KeyboardInterrupt:
        console.print(f"Stopped: {len(found.outcomes)} of {len(paths)} recordings are done.")
        return INTERRUPTED
    return 0


def _text(arguments: argparse.Namespace, experiment: Experiment, found: PlaysSoFar) -> str:
    done = [found.outcomes[place] for place in sorted(found.outcomes)]
    parts, faults = sections(done, experiment.names), _faults(found)
    match arguments.format:
        case "json":
            return as_json(parts, done, faults, timing=arguments.timing)
        case "html":
            return page(parts, done, faults, _world(experiment))
        case _:
            return table(parts, faults, timing=arguments.timing)


def _world(experiment: Experiment) -> str:
    """What the recordings were played in, in words."""
    setting = experiment.setting
    return (
        f"{setting.info.name} with a window of {setting.info.window:,} tokens; a cache that lives "
        f"{setting.ttl} seconds; {experiment.pace:g} seconds between a person's turns where no "
        f"time was recorded; notes written by the extractive summariser and billed as "
        f"{', '.join(writer.model for writer in setting.writers)} would have."
    )


def _faults(found: PlaysSoFar) -> list[str]:
    return [fault for place in sorted(found.faults) for fault in found.faults[place]]


def _write(text: str, out: Path | None) -> int:
    if out is None:
        sys.stdout.write(text)
        return 0
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        return _complain(f"{out}: {error.strerror}")
    return 0


def _complain(text: str) -> int:
    sys.stderr.write(f"octochat replay: {text}\n")
    return 2
