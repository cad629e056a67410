"""Being told to end from outside: by SIGTERM, or by SIGHUP once the terminal is gone."""

import asyncio
import errno
import os
import signal
import termios
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

ENDINGS: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def heard(end: Callable[[signal.Signals], object]) -> Generator[None]:
    """Have the running event loop call `end`, where octochat would otherwise end on the spot."""

    def told(by: signal.Signals) -> None:
        let_lost_terminal_go()
        end(by)

    loop = asyncio.get_running_loop()
    before = [signal.getsignal(ending) for ending in ENDINGS]
    for ending in ENDINGS:
        loop.add_signal_handler(ending, told, ending)
    try:
        yield
    finally:
        for ending, handler in zip(ENDINGS, before, strict=True):
            loop.remove_signal_handler(ending)
            signal.signal(ending, handler)


def cancelling(end: Callable[[signal.Signals], object]) -> None:
    """Where no event loop runs: call `end`, and cancel what the main thread is at."""

    def told(number: int, _: object) -> None:
        let_lost_terminal_go()
        end(signal.Signals(number))
        raise asyncio.CancelledError

    for ending in ENDINGS:
        signal.signal(ending, told)


def let_lost_terminal_go() -> None:
    """What is still written to a terminal that is gone goes nowhere, instead of failing."""
    lost = [stream for stream in (0, 1, 2) if _is_lost(stream)]
    if lost:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in lost:
            os.dup2(null, stream)
        os.close(null)


def _is_lost(stream: int) -> bool:
    try:
        termios.tcgetattr(stream)
    except termios.error as error:
        return error.args[0] in (errno.EIO, errno.ENXIO)
    return False
