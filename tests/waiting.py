"""Waiting for what a test needs: not for ever, and with words for what did not come."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from select import select
from time import monotonic
from typing import Protocol, TypeVar

LIMIT = 60.0
"""Seconds. A busy machine takes its time; what takes longer will not come."""
FIRST_LOOK, LAST_LOOK = 0.01, 0.1
"""Seconds between two looks, at first and at last: a look at a whole screen costs time itself."""

Value = TypeVar("Value")


class Pausing(Protocol):
    """What lets an app go on: Textual's pilot."""

    async def pause(self, delay: float) -> None: ...


async def until(
    pilot: Pausing, done: Callable[[], object], seen: Callable[[], object] = str
) -> None:
    """Let the app go on until something is so; `seen` says what there is instead if it isn't."""
    end, pause = monotonic() + LIMIT, FIRST_LOOK
    while not done():
        assert monotonic() < end, f"it did not come to this:\n{source(done)}\n{seen()}"
        await pilot.pause(pause)
        pause = min(pause * 1.3, LAST_LOOK)


def come(done: Callable[[], object], rest: Callable[[float], object] | None = None) -> None:
    """Wait for what another process does; `rest` lets time go by."""
    end = monotonic() + LIMIT
    while not done():
        assert monotonic() < end, f"it did not come to this:\n{source(done)}"
        rest(LAST_LOOK) if rest else select([], [], [], LAST_LOOK)


async def soon(what: Awaitable[Value]) -> Value:
    """What comes of it, if that takes no longer than the limit."""
    try:
        return await asyncio.wait_for(what, LIMIT)
    except TimeoutError:
        raise AssertionError(f"it did not end: {what!r}") from None


def source(done: Callable[[], object]) -> str:
    """What a condition is, in the words of the test."""
    try:
        return inspect.getsource(done).strip()
    except (OSError, TypeError):
        return repr(done)
