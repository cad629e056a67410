"""How the line to a server is used: in time, as long as it holds, and why it broke."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from octochat.text.harmless import one_line

if TYPE_CHECKING:
    from octochat.mcp.connection import Connection

ALIVE = 5.0
"""Seconds in which a server that gave no answer must list its tools, or it is started again."""


async def look_after(line: "Connection") -> None:
    """Give up a server that does not even list its tools any more."""
    try:
        async with asyncio.timeout(ALIVE):
            await line.standing()
    except Exception:  # noqa: BLE001  whatever is wrong with it, it starts again
        line.lost.set()


async def within(
    act: "Callable[[Connection], Awaitable[Any]]", line: "Connection", limit: float
) -> Any:
    """Do it in time, as long as the line holds."""
    doing = asyncio.ensure_future(act(line))
    lost = asyncio.create_task(line.lost.wait())
    try:
        done, _ = await asyncio.wait((doing, lost), timeout=limit, return_when="FIRST_COMPLETED")
        if doing in done:
            return doing.result()
        if lost in done:
            raise ConnectionError("the line broke")
        raise TimeoutError
    finally:
        doing.cancel()
        lost.cancel()


def no_line(error: Exception) -> bool:
    """Whether the server can't be reached any more."""
    words = f"{type(error).__name__} {error}".lower()
    return isinstance(error, ConnectionError) or "connect" in words or "closed" in words


def reason_of(error: BaseException) -> str:
    """The innermost reason in a line."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return one_line(str(error)) or type(error).__name__


def last_line(path: Path) -> str:
    """What it printed last, to follow other words."""
    try:
        lines = path.read_text("utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return f": {one_line(lines[-1])[:200]}" if lines else ""
