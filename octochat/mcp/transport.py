"""The line to a server: a process that ends with octochat, or HTTP; whether it still holds.

To be loaded where `connection` is.
"""

import sys
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

import anyio
import httpx2
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from octochat.context.codec.bounds import seconds
from octochat.mcp.login import Access
from octochat.mcp.oauth import authorised
from octochat.mcp.settings import McpServer

UNAUTHORIZED = 401
"""What a server answers that wants a login."""
FLOOD = 500
"""Messages of a server within a second from which on it is cut off. No more than about 2,000 can be
taken in, and these take a whole core."""
_DIES_WITH_US = (
    "import ctypes,os,sys;ctypes.CDLL(None).prctl(1,9);os.execvp(sys.argv[1],sys.argv[1:])"
)
"""On Linux a server is killed when octochat is, even if it does not read its input."""


@asynccontextmanager
async def line_to(
    settings: McpServer, environment: Mapping[str, str], folder: str, log: TextIO, access: Access
) -> AsyncGenerator[Any]:
    """A transport of the SDK: a process of ours, which prints to `log`, or HTTP."""
    if settings.command:
        process = _process(settings, {**environment, **settings.env}, folder)
        yield stdio_client(process, errlog=log)
        return
    limits = httpx2.Timeout(30.0, read=seconds(settings.timeout) + 30)
    async with authorised(settings, access) as auth:

        async def looked_at(response: httpx2.Response) -> None:
            if response.status_code == UNAUTHORIZED and auth is None:
                access.refused()

        async with httpx2.AsyncClient(
            headers=dict(settings.headers),
            timeout=limits,
            auth=auth,
            event_hooks={"response": [looked_at]},
        ) as http:
            yield streamable_http_client(settings.url, http_client=http)


def _process(
    settings: McpServer, environment: Mapping[str, str], folder: str
) -> StdioServerParameters:
    words = [settings.command, *settings.args]
    if sys.platform == "linux":
        words = [sys.executable, "-I", "-S", "-c", _DIES_WITH_US, *words]
    where = Path(folder) / Path(settings.cwd).expanduser()
    return StdioServerParameters(command=words[0], args=words[1:], env=dict(environment), cwd=where)


@asynccontextmanager
async def watched(line: Any, lost: anyio.Event, tell: Callable[[str], None]) -> AsyncGenerator[Any]:
    """The same line, which says when it is gone and cuts off a server that floods it."""
    async with line as (read, write):
        send, receive = anyio.create_memory_object_stream[Any](0)

        async def relay() -> None:
            latest: deque[float] = deque(maxlen=FLOOD)
            try:
                async with send:
                    async for message in read:
                        now = time.monotonic()
                        if len(latest) == FLOOD and now - latest[0] < 1:
                            tell(f"sent {FLOOD:,} messages within a second and was cut off")
                            return
                        latest.append(now)
                        await send.send(message)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return
            finally:
                lost.set()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(relay)
            try:
                yield receive, write
            finally:
                tasks.cancel_scope.cancel()
