"""Retries: seen before they are waited for, stopped at once, and only where they can help."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import Usage
from octochat.models.port import RETRYABLE, Delta, ErrorKind, ModelError, Reply, Retrying, TextDelta
from octochat.models.retry import Nap, retrying
from octochat.models.retry_policy import RetryPolicy
from octochat.text.figures import clock
from tests.waiting import soon

NOW = 50_000.0
DONE = Reply((Text("hi"),), Usage(), "end_turn")


def failing(*errors: ModelError) -> Callable[[], AsyncGenerator[Delta | Reply, None]]:
    """A call that fails once with each error, half a reply after its start, and then works."""
    left = list(errors)

    async def call() -> AsyncGenerator[Delta | Reply, None]:
        yield TextDelta("h")
        if left:
            raise left.pop(0)
        yield DONE

    return call


class Naps:
    """Waits without waiting."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


async def heard(
    call: Callable[[], AsyncGenerator[Delta | Reply, None]],
    naps: Naps,
    policy: RetryPolicy | None = None,
    jitter: float = 1.0,
) -> list[Delta | Reply]:
    stream = retrying(call, policy or RetryPolicy(), naps, lambda: jitter, lambda: NOW)
    return [item async for item in stream]


async def test_a_call_that_works_is_made_once() -> None:
    naps = Naps()
    assert await heard(failing(), naps) == [TextDelta("h"), DONE]
    assert naps.seconds == []


async def test_a_failed_call_is_announced_and_made_again_from_the_start() -> None:
    items = await heard(failing(ModelError("stream", "it broke")), Naps())
    announced = Retrying("it broke", "stream", 1.0, attempt=2, attempts=6)
    assert items == [TextDelta("h"), announced, TextDelta("h"), DONE]


@pytest.mark.parametrize("kind", sorted({"auth", "billing", "model", "too_long", "invalid"}))
async def test_what_no_retry_can_help_is_raised_at_once(kind: ErrorKind) -> None:
    naps = Naps()
    with pytest.raises(ModelError):
        await heard(failing(ModelError(kind, "no")), naps)
    assert naps.seconds == []


@pytest.mark.parametrize("kind", sorted(RETRYABLE))
async def test_what_may_pass_is_tried_again(kind: ErrorKind) -> None:
    assert (await heard(failing(ModelError(kind, "for now")), Naps()))[-1] == DONE


async def test_the_waits_double_up_to_the_longest() -> None:
    naps = Naps()
    policy = RetryPolicy(attempts=6, first_wait="1s", longest_wait="6s")
    await heard(failing(*(ModelError("server", "oops") for _ in range(5))), naps, policy)
    assert naps.seconds == [1.0, 2.0, 4.0, 6.0, 6.0]


async def test_chance_shortens_a_wait_by_half_at_the_most() -> None:
    naps = Naps()
    await heard(failing(ModelError("server", "oops")), naps, jitter=0.0)
    assert naps.seconds == [0.5]


@pytest.mark.parametrize(("asked", "waited"), [(0.0, 0.0), (17.0, 17.0), (9_999.0, 300.0)])
async def test_the_api_is_given_the_time_it_asks_for_within_reason(
    asked: float, waited: float
) -> None:
    naps = Naps()
    await heard(failing(ModelError("rate_limit", "slow down", retry_after=asked)), naps)
    assert naps.seconds == [waited]


async def test_the_last_error_is_raised_when_the_tries_are_used_up() -> None:
    naps = Naps()
    errors = [ModelError("overloaded", f"number {n}") for n in (1, 2, 3)]
    with pytest.raises(ModelError, match="number 3"):
        await heard(failing(*errors), naps, RetryPolicy(attempts=3))
    assert len(naps.seconds) == 2


async def test_a_long_wait_that_the_api_asks_for_is_told_with_its_end() -> None:
    errors = [ModelError("rate_limit", "Too many.", retry_after=after) for after in (59, 600)]
    naps = Naps()
    told = [item.why for item in await heard(failing(*errors), naps) if isinstance(item, Retrying)]
    assert told == ["Too many.", f"Too many. It asks to wait until {clock(NOW + 600)}."]
    assert naps.seconds == [59, 300], "longer than its patience it does not wait"


async def test_so_does_the_error_when_the_tries_are_used_up() -> None:
    error = ModelError("rate_limit", "Too many.", retry_after=900)
    with pytest.raises(ModelError, match=f"until {clock(NOW + 900)}") as refusal:
        await heard(failing(error), Naps(), RetryPolicy(attempts=1))
    assert (refusal.value.kind, refusal.value.retry_after) == ("rate_limit", 900)


async def test_a_wait_is_announced_before_it_begins_and_ends_when_it_is_closed() -> None:
    asleep = asyncio.Event()

    async def forever(_: float) -> None:
        asleep.set()
        await asyncio.Event().wait()

    stream = retrying(failing(ModelError("server", "oops")), sleep=forever)
    assert await anext(stream) == TextDelta("h")
    assert isinstance(await anext(stream), Retrying)
    assert not asleep.is_set()

    async def next_item() -> Delta | Reply:
        return await anext(stream)

    waiting = asyncio.create_task(next_item())
    await soon(asleep.wait())
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_closing_it_closes_the_call() -> None:
    closed: list[bool] = []

    async def call() -> AsyncGenerator[Delta | Reply, None]:
        try:
            yield TextDelta("h")
            yield DONE
        finally:
            closed.append(True)

    async with aclosing(retrying(call)) as stream:
        await anext(stream)
    assert closed == [True]


async def test_a_wait_ends_at_once_for_whoever_is_tired_of_it() -> None:
    nap = Nap()
    nap.end()
    waiting = asyncio.create_task(nap(3_600))
    await asyncio.sleep(0)
    assert not waiting.done(), "what was ended before does not count"
    nap.end()
    await soon(waiting)
    await nap(0.001)
