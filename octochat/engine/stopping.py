"""How a person stops what is being awaited without ending the stream of entries."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

T = TypeVar("T")


class Stopped(Exception):  # noqa: N818  it is no error: the person wanted it
    """The person stopped it."""


class Stopper:
    """Awaits things one at a time, each of which `stop` can end at once."""

    def __init__(self) -> None:
        self._task: asyncio.Future[Any] | None = None
        self.stopped: bool = False

    def begin(self) -> None:
        """Forget that something was stopped before."""
        self.stopped = False

    def stop(self) -> None:
        """End what is awaited now, and refuse what would be awaited next."""
        self.stopped = True
        if self._task is not None:
            self._task.cancel()

    async def wait(self, awaitable: Awaitable[T]) -> T:
        """Await it.

        Raises:
            Stopped: the person stopped it; it was cancelled, and its clean-up has run.
        """
        task = asyncio.ensure_future(awaitable)
        if self.stopped:
            task.cancel()
        self._task = task
        try:
            return await task
        except asyncio.CancelledError:
            if self.stopped and task.cancelled():
                raise Stopped from None
            raise
        finally:
            self._task = None
