"""What the replay lab takes, and what it says about the aims that were set for it.

Run `python -m tests.benchmarks.replay [FOLDER]`; FOLDER holds recordings (default: the `dev`
folder in OCTOCHAT_TRAJECTORIES or beside the project).
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from unittest.mock import patch

from octochat.config.load import Config
from octochat.config.strategies import KnownStrategies
from octochat.replay.contenders import named, setting_of
from octochat.replay.lab import NONE, Contender, Experiment, run_raw, survey_raw
from octochat.replay.outcome import Outcome
from octochat.replay.play_setting import PlaySetting
from octochat.replay.pool import Machines, OneProcess, Processes
from octochat.replay.readers import files
from octochat.replay.report import LONG, ContenderRow, sections
from octochat.replay.survey import Survey, Vocabulary
from tests.root import ROOT

FOLDER = Path(os.environ.get("OCTOCHAT_TRAJECTORIES", "../shared/trajectories")) / "dev"
JOBS = 2
PACE = 180.0
MOST_SECONDS = 180.0
MOST_MEGABYTES = 1_000.0
HALF = (
    "pressure{pressure_levels=[{threshold=30000,target_ratio=2.0},"
    "{threshold=60000,target_ratio=4.0},{threshold=80000,target_ratio=8.0}]}"
)
BUDGETS = (30_000, 40_000, 48_000, 60_000, 76_000, 90_000)
"""Of the token windows that pressure is compared with, at equal mean tokens."""


def main() -> int:
    """Measure, and print one line a figure."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    if not folder.is_dir():
        sys.stdout.write(f"skipped: there are no recordings in {folder}\n")
        return 0
    good = [*_resources(folder), *_aims(folder)]
    return 0 if all(good) else 1


def _resources(folder: Path) -> list[bool]:
    """All recordings through all strategies, from outside."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "octochat", "replay", str(folder), "--jobs", str(JOBS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    seconds = time.perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime
    # The largest process, as many times as there are processes: an upper bound.
    megabytes = used.ru_maxrss / 1024 * (JOBS + 1)
    sys.stdout.write(done.stdout.decode())
    return [
        _say("time for all strategies", seconds, "s", seconds <= MOST_SECONDS),
        _say("processor time", processor, "s", processor <= JOBS * MOST_SECONDS),
        _say("memory of all processes, at most", megabytes, "MB", megabytes <= MOST_MEGABYTES),
    ]


def _aims(folder: Path) -> list[bool]:
    """Far recall of pressure against a token window, and what the artifact index is worth."""
    setting = setting_of(Config(), Config().model, None)
    windows = ",".join(
        f"sliding_window_tokens{{max_tokens={budget},low_water=0.5}}" for budget in BUDGETS
    )
    contenders, _ = named(f"pressure,{HALF},{windows}", setting, KnownStrategies())
    paths = list(files([folder]))
    _, pressure, half, *others = _rows(
        _played(contenders, setting, paths, Processes(JOBS)), contenders
    )
    with patch("octochat.context.notes.note.index", _no_index):
        # In this process, where the patch holds.
        bare = _rows(_played(contenders[:2], setting, paths, OneProcess()), contenders[:2])
    return [
        _above("pressure over a window of equal mean tokens", pressure, others, 0.15),
        _above("half the levels over a window of equal mean tokens", half, others, 0.25),
        _worth("the artifact index at half the levels", half, bare[2]),
        _worth("the artifact index at the default levels", pressure, bare[1]),
    ]


def _played(
    contenders: tuple[Contender, ...],
    setting: PlaySetting,
    paths: Sequence[Path],
    machines: Machines,
) -> list[Outcome]:
    survey = Survey()
    with closing(machines):
        for _, vocabulary in machines.each(survey_raw, paths):
            if isinstance(vocabulary, Vocabulary):
                survey.take(vocabulary)
        experiment = Experiment(contenders, setting, PACE, survey.common())
        found = dict(machines.each(partial(run_raw, experiment), paths))
    return [o for _, o in sorted(found.items()) if isinstance(o, Outcome)]


def _rows(found: Sequence[Outcome], contenders: Sequence[Contender]) -> tuple[ContenderRow, ...]:
    """Doing nothing, then the contenders, over the long recordings."""
    long = [outcome for outcome in found if outcome.tokens > LONG]
    names = (NONE, *(contender.name for contender in contenders))
    return sections(long, names)[-1].rows


def _above(what: str, row: ContenderRow, windows: Sequence[ContenderRow], aim: float) -> bool:
    """How much more `row` recalls than the windows do at its mean tokens, between two of them."""
    points = sorted((window.mean_context, window.far.value or 0.0) for window in windows)
    lower = max((p for p in points if p[0] <= row.mean_context), default=points[0])
    upper = min((p for p in points if p[0] >= row.mean_context), default=points[-1])
    span = upper[0] - lower[0]
    part = (row.mean_context - lower[0]) / span if span else 0.0
    window = lower[1] + part * (upper[1] - lower[1])
    more = (row.far.value or 0.0) - window
    return _say(f"{what} ({row.mean_context:,.0f})", 100 * more, "points", more >= aim)


def _worth(what: str, row: ContenderRow, without: ContenderRow) -> bool:
    more = (row.far.value or 0.0) - (without.far.value or 0.0)
    return _say(what, 100 * more, "points", more >= 0.15)


def _no_index(*_: object) -> str:
    return ""


def _say(what: str, value: float, unit: str, good: bool) -> bool:
    sys.stdout.write(f"{'ok  ' if good else 'MISS'}  {what}: {value:,.1f} {unit}\n")
    return good


if __name__ == "__main__":
    sys.exit(main())
