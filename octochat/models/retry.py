"""Calls that are made again when they fail, so that a person sees it, waits less, or stops it.

It knows which errors may pass and how long to wait, not what is called.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TypeAlias

from octochat.models.port import Delta, Model, ModelError, Reply, Request, Retrying
from octochat.models.retry_policy import RetryPolicy
from octochat.text.figures import MINUTE, clock

Stream: TypeAlias = AsyncGenerator[Delta | Reply, None]


DEFAULT_POLICY = RetryPolicy()


async def retrying(
    call: Callable[[], Stream],
    policy: RetryPolicy = DEFAULT_POLICY,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    jitter: Callable[[], float] = random.random,
    now: Callable[[], float] = time.time,
) -> Stream:
    """Stream `call()`, again from the start where it fails with an error that may pass.

    Before each wait it yields a `Retrying`: what had been streamed until then is void. Closing it
    or cancelling its task ends the wait, or the call, at once.

    Raises:
        ModelError: the last try's, or the first that no retry can help.
    """
    for attempt in range(2, policy.attempts + 2):
        try:
            async with aclosing(call()) as stream:
                async for item in stream:
                    yield item
        except ModelError as error:
            failed = dated(error, now())
            if not failed.retryable or attempt > policy.attempts:
                raise failed from error.__cause__
            wait = policy.wait(attempt, failed.retry_after, jitter())
        else:
            return
        yield Retrying(str(failed), failed.kind, wait, attempt, policy.attempts)
        await sleep(wait)


def dated(error: ModelError, now: float) -> ModelError:
    """The error, with the time of day until which the API wants no calls, where that is long."""
    if (error.retry_after or 0.0) < MINUTE:
        return error
    until = clock(now + (error.retry_after or 0.0))
    return ModelError(
        error.kind,
        f"{error} It asks to wait until {until}.",
        retry_after=error.retry_after,
        detail=error.detail,
        tokens=error.tokens,
        limit=error.limit,
    )


class Nap:
    """A wait that whoever is tired of it ends."""

    def __init__(self) -> None:
        self._over: asyncio.Event = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        """Wait so long, or until `end`."""
        self._over.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)

    def end(self) -> None:
        """Wait no longer."""
        self._over.set()


@dataclass(frozen=True, slots=True)
class Persistent:
    """A model whose calls are made again when they fail: a `Model` around another one."""

    model: Model
    policy: RetryPolicy = DEFAULT_POLICY
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    def reply(self, request: Request) -> Stream:
        """The other model's answer, with a `Retrying` before each further try."""
        return retrying(lambda: self.model.reply(request), self.policy, self.sleep, self.jitter)
