"""Many files at once: processes that play them, and what came of each, in any order."""

import multiprocessing
import signal
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path

from octochat.config.imported import files_of, from_file
from octochat.replay.lab import Experiment, run_file
from octochat.replay.outcome import Outcome
from octochat.replay.recording import ReadError


def outcomes(
    experiment: Experiment, paths: Sequence[Path], jobs: int
) -> Generator[tuple[int, Outcome | ReadError], None, None]:
    """The place in `paths` and the outcome of each file, as they are ready.

    Args:
        experiment: Who takes part.
        paths: The recordings.
        jobs: Processes; 1: none besides this one.
    """
    if jobs <= 1 or len(paths) <= 1:
        for place, path in enumerate(paths):
            yield place, _tried(experiment, path)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(jobs, len(paths)), context, initializer=_begin, initargs=(_code(experiment),)
    )
    try:
        # The longest first, so that no process is left alone with one at the end.
        order = sorted(range(len(paths)), key=lambda n: -_size(paths[n]))
        waiting: dict[Future[Outcome | ReadError], int] = {
            pool.submit(_tried, experiment, paths[n]): n for n in order
        }
        for done in as_completed(waiting):
            yield waiting[done], done.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _tried(experiment: Experiment, path: Path) -> Outcome | ReadError:
    try:
        return run_file(experiment, path)
    except ReadError as error:
        return error


def _code(experiment: Experiment) -> tuple[Path, ...]:
    """The files that define contenders of one's own: unpickling needs their modules."""
    return files_of(each for one in experiment.contenders for each in one.pipeline)


def _begin(code: tuple[Path, ...]) -> None:
    """Ctrl-C is for the first process: it says what is done and stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for file in code:
        from_file(file)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
