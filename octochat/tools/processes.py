"""Ends a process with all that it started. It knows nothing of shells."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

_GRACE = 1.0
"""Seconds between asking and killing, and the most that dying may take."""
_LOOK = 0.02
"""Seconds between two looks at who is left."""
_PROCESSES = Path("/proc")
"""Where Linux tells of them."""


async def end_all(leader: int) -> None:
    """End a session's leader, every process of its session, and all descendants.

    A process group would not do: `timeout` and job control make groups of their own. Where
    there is no /proc only the leader's group is ended.
    """
    family = _family(leader)
    for number in (signal.SIGTERM, signal.SIGKILL):
        _signal(family, leader, number)
        for _ in range(int(_GRACE / _LOOK)):
            await asyncio.sleep(_LOOK)
            family = _left(family, leader)
            if not family:
                return


async def end_orphans(leader: int) -> None:
    """End what a leader that is dead left behind in its session.

    Its number may belong to another process by now, but only if nothing is left: while a session
    has members the system does not give its number away.
    """
    if leader not in _table():
        await end_all(leader)


def _signal(pids: set[int], leader: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _left(family: set[int], leader: int) -> set[int]:
    """Who of the family still runs; where there is no /proc, the leader for all of its group."""
    if table := _table():
        return (family | _family(leader)) & table.keys()
    try:
        os.killpg(leader, 0)
    except (ProcessLookupError, PermissionError):  # macOS: permission for none but zombies
        return set()
    return {leader}


def _family(leader: int) -> set[int]:
    """The leader, its session, and the descendants of both."""
    table = _table()
    family = {pid for pid, (_, session) in table.items() if leader in (pid, session)}
    while more := {pid for pid, (parent, _) in table.items() if parent in family} - family:
        family |= more
    return family


def _table() -> dict[int, tuple[int, int]]:
    """Parent and session of every process that is no zombie; empty where there is no /proc."""
    table: dict[int, tuple[int, int]] = {}
    for stat in _PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # The name in parentheses may hold anything: read on after the last one.
            state, parent, _, session = (
                stat.read_text(errors="replace").rpartition(")")[2].split()[:4]
            )
            if state not in "ZX":
                table[int(stat.parent.name)] = int(parent), int(session)
    return table
