"""Stopping what is awaited, and nothing else."""

import asyncio

import pytest

from octochat.engine.stopping import Stopped, Stopper
from tests.waiting import soon


async def forever(started: asyncio.Event, ended: list[str]) -> None:
    started.set()
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("cleaned up")


async def test_what_is_awaited_ends_at_once_and_has_cleaned_up() -> None:
    stopper, started, ended = Stopper(), asyncio.Event(), list[str]()
    waiting = asyncio.create_task(stopper.wait(forever(started, ended)))
    await soon(started.wait())
    stopper.stop()
    with pytest.raises(Stopped):
        await waiting
    assert (stopper.stopped, ended) == (True, ["cleaned up"])


async def test_what_would_be_awaited_next_is_refused_until_it_begins_anew() -> None:
    stopper = Stopper()
    stopper.stop()
    with pytest.raises(Stopped):
        await stopper.wait(asyncio.sleep(0, "x"))
    stopper.begin()
    assert await stopper.wait(asyncio.sleep(0, "x")) == "x"


async def test_a_cancelled_task_is_cancelled_and_not_stopped() -> None:
    stopper, started, ended = Stopper(), asyncio.Event(), list[str]()
    waiting = asyncio.create_task(stopper.wait(forever(started, ended)))
    await soon(started.wait())
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (stopper.stopped, ended) == (False, ["cleaned up"])


async def test_errors_come_out_as_they_are() -> None:
    async def fails() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await Stopper().wait(fails())
