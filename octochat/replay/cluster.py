"""The recordings on a Dask cluster: files go over the wire, so workers need octochat and no files.

What a lost worker had under way is done again by another one.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from distributed import Client, as_completed

from octochat import __version__
from octochat.replay.pool import AHEAD, MachinesError, loaded, tried
from octochat.replay.recording import RawRecording, ReadError

T = TypeVar("T")

RETRIES = 3
"""How often a file is tried again before the run is given up."""
PATIENCE = 10
"""Seconds to wait for the scheduler."""


class Cluster:
    """The workers of a Dask scheduler."""

    def __init__(self, address: str) -> None:
        """Connect, and see that the workers have this octochat.

        Raises:
            MachinesError: nobody answers there, or the workers can't do it.
        """
        try:
            self._client: Any = Client(address, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise MachinesError(f"no scheduler answers at {address} ({error})") from error
        try:
            self._check()
        except MachinesError:
            self.close()
            raise

    def each(
        self, work: Callable[[RawRecording], T], paths: Sequence[Path]
    ) -> Generator[tuple[int, T | ReadError], None, None]:
        """The place in `paths` and what came of each file, as they are ready.

        Raises:
            MachinesError: a file was tried too often.
        """
        [shared] = self._client.scatter([work], broadcast=True, hash=False)
        waiting: dict[Any, int] = {}
        ready: Any = as_completed(())
        for place, raw in loaded(paths):
            if isinstance(raw, ReadError):
                yield place, raw
                continue
            future = self._client.submit(tried, shared, raw, pure=False, retries=RETRIES)
            waiting[future] = place
            ready.add(future)
            if len(waiting) >= AHEAD * max(sum(self._client.nthreads().values()), 1):
                yield _next(ready, waiting)
        while waiting:
            yield _next(ready, waiting)

    def close(self) -> None:
        """Leave the cluster; what it still does for this run is given up."""
        self._client.close()

    def _check(self) -> None:
        try:
            theirs: dict[str, str] = self._client.run(_version)
        except Exception as error:  # whatever a worker lacks comes as an exception of its own
            raise MachinesError(f"the workers need octochat {__version__} ({error})") from error
        if not theirs:
            raise MachinesError("the cluster has no workers")
        others = sorted(set(theirs.values()) - {__version__})
        if others:
            raise MachinesError(f"the workers need octochat {__version__}, not {others[0]}")


def _version() -> str:
    return __version__


def _next(ready: Iterator[Any], waiting: dict[Any, int]) -> tuple[int, Any]:
    future = next(ready)
    try:
        return waiting.pop(future), future.result()
    except Exception as error:
        raise MachinesError(f"the cluster gave up: {error}") from error
