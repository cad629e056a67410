"""The server on a loop of its own in a thread, for tests that have none."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager

from tests.server.script import Step
from tests.server.server import ClaudeServer
from tests.waiting import LIMIT


@contextmanager
def served(*steps: Step) -> Generator[ClaudeServer, None, None]:
    """A running server, scripted with these steps; its log and bill are read from here."""
    started: threading.Event = threading.Event()
    server = ClaudeServer(*steps)
    loop = asyncio.new_event_loop()

    async def run(stopped: asyncio.Event) -> None:
        async with server:
            started.set()
            await stopped.wait()

    stopped = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(run(stopped)), daemon=True)
    thread.start()
    try:
        assert started.wait(LIMIT), "the server did not start"
        yield server
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(LIMIT)
        assert not thread.is_alive(), "the server does not end"
        loop.close()
