"""How the line to a server is used: in time, as long as it holds, and why it broke."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from octochat.mcp.offered import Standing
from octochat.text.figures import count
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
    act: "Callable[[Connection], Awaitable[Any]]",
    line: "Connection",
    limit: float,
    waited: Callable[[], float],
) -> Any:
    """Do it in time, as long as the line holds.

    Args:
        act: what is to be done.
        line: with what.
        limit: seconds that the server has.
        waited: when it last waited for the person, by the clock of the loop: that is not its time.
    """
    loop = asyncio.get_running_loop()
    doing = asyncio.ensure_future(act(line))
    lost = asyncio.create_task(line.lost.wait())
    end = loop.time() + limit
    try:
        while (left := end - loop.time()) > 0:
            await asyncio.wait((doing, lost), timeout=left, return_when="FIRST_COMPLETED")
            if doing.done():
                return doing.result()
            if lost.done():
                raise ConnectionError("the line broke")
            end = max(end, waited() + limit)
        raise TimeoutError
    finally:
        doing.cancel()
        lost.cancel()


def changed(before: Standing, after: Standing) -> str:
    """What is new in a server's lists, in a line; empty where nothing is."""
    lists = (
        ("tool", {t.name: t for t in before.tools}, {t.name: t for t in after.tools}),
        ("prompt", {p.name: p for p in before.prompts}, {p.name: p for p in after.prompts}),
        ("resource", {r.uri: r for r in before.resources}, {r.uri: r for r in after.resources}),
    )
    parts: list[str] = []
    for what, old, new in lists:
        both = old.keys() & new.keys()
        for number, how in (
            (len(new) - len(both), "new"),
            (len(old) - len(both), "gone"),
            (sum(old[key] != new[key] for key in both), "changed"),
        ):
            parts += [f"{count(number, what)} {how}"] if number else []
    return f"The lists of the server {after.name} changed: {', '.join(parts)}." if parts else ""


def no_line(error: Exception) -> bool:
    """Whether the server can't be reached any more."""
    words = f"{type(error).__name__} {error}".lower()
    return isinstance(error, ConnectionError) or "connect" in words or "closed" in words


def reason_of(error: BaseException) -> str:
    """The innermost reason in a line."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return one_line(str(error)) or type(error).__name__


def last_line(path: Path, since: int) -> str:
    """What it printed last, to follow other words; `since`: bytes of earlier starts."""
    try:
        with path.open("rb") as file:
            file.seek(since)
            lines = file.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    return f": {one_line(lines[-1])[:200]}" if lines else ""
