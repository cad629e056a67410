"""Many files at once: processes that work on them, and what came of each, in any order.

Only as many files as the processes can soon take are in memory at a time.
"""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Protocol, TypeVar

from octochat.config.imported import from_file
from octochat.replay.readers import load
from octochat.replay.recording import RawRecording, ReadError

T = TypeVar("T")

AHEAD = 2
"""Files that wait for each process, so that none is ever without work."""


class MachinesError(Exception):
    """The machines can't do the work. The message says why."""


class Machines(Protocol):
    """Whoever does the work."""

    def each(
        self, work: Callable[[RawRecording], T], paths: Sequence[Path]
    ) -> Generator[tuple[int, T | ReadError], None, None]:
        """The place in `paths` and what came of each file, as they are ready."""
        ...

    def close(self) -> None:
        """Let the machines go; what they still do is given up."""
        ...


class OneProcess:
    """No process besides this one."""

    def each(
        self, work: Callable[[RawRecording], T], paths: Sequence[Path]
    ) -> Generator[tuple[int, T | ReadError], None, None]:
        """One file after the other."""
        for place, path in enumerate(paths):
            try:
                raw = load(path)
            except ReadError as error:
                yield place, error
            else:
                yield place, tried(work, raw)

    def close(self) -> None:
        """Nothing is held."""


class Processes:
    """Processes on this machine."""

    def __init__(self, jobs: int, code: Sequence[Path] = ()) -> None:
        """So many of them, each with this code; they start with the first file."""
        context = multiprocessing.get_context("spawn")
        self._pool: ProcessPoolExecutor = ProcessPoolExecutor(
            jobs, context, initializer=_begin, initargs=(tuple(code),)
        )
        self._ahead: int = AHEAD * jobs

    def each(
        self, work: Callable[[RawRecording], T], paths: Sequence[Path]
    ) -> Generator[tuple[int, T | ReadError], None, None]:
        """The longest file first, so that no process is left alone with one at the end."""
        waiting: dict[Future[T | ReadError], int] = {}
        for place, raw in loaded(paths):
            if isinstance(raw, ReadError):
                yield place, raw
                continue
            waiting[self._pool.submit(tried, work, raw)] = place
            if len(waiting) >= self._ahead:
                yield from _done(waiting)
        while waiting:
            yield from _done(waiting)

    def close(self) -> None:
        """Give up what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def cluster(address: str) -> Machines:
    """The workers of a Dask scheduler.

    Raises:
        MachinesError: they can't do it, or the library for them is not installed.
    """
    try:
        # An extra, often not there, and never needed without a scheduler.
        from octochat.replay.cluster import Cluster  # noqa: PLC0415
    except ImportError as error:
        raise MachinesError(f"--scheduler needs octochat[cluster] ({error})") from error
    return Cluster(address)


def loaded(paths: Sequence[Path]) -> Iterator[tuple[int, RawRecording | ReadError]]:
    """The files with their places, the longest first, each read when it is asked for."""
    for place in sorted(range(len(paths)), key=lambda n: -_size(paths[n])):
        try:
            yield place, load(paths[place])
        except ReadError as error:
            yield place, error


def tried(work: Callable[[RawRecording], T], raw: RawRecording) -> T | ReadError:
    """What came of a file, or why nothing did."""
    try:
        return work(raw)
    except ReadError as error:
        return error


def _done(waiting: dict[Future[T | ReadError], int]) -> Iterator[tuple[int, T | ReadError]]:
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        yield waiting.pop(future), future.result()


def _begin(code: Sequence[Path]) -> None:
    """Ctrl-C is for the first process: it says what is done and stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for file in code:
        from_file(file)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
