"""One server for the whole session: started, watched, started again once. It knows no session.

Whatever a server does, nothing here raises.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octochat.mcp.expand import MissingVariableError, expanded
from octochat.mcp.lines import changed, last_line, reason_of
from octochat.mcp.offered import Standing
from octochat.mcp.settings import McpServer
from octochat.text.harmless import one_line

if TYPE_CHECKING:
    from octochat.mcp.connection import Connection

START = 30.0
"""Seconds within which a server must be ready."""
LINES = 20
"""Lines of what a server says, or of how its lists change, that a person is told."""


@dataclass(frozen=True, slots=True)
class Around:
    """What servers live in."""

    folder: Path
    """The working folder."""
    logs: Path
    """Where goes what they print."""
    environment: Mapping[str, str]
    """For the variables in their settings."""
    seen: Mapping[str, str]
    """What their processes see."""
    tell: Callable[[str], None]
    """Takes a line for the person, from any thread."""
    put: Callable[[Standing], None]
    """Takes how a server stands now."""
    ask: Callable[[str, str, Any], Any]
    """Takes a server, its message and what is to be filled in; awaits the person's answer."""


class ServerLife:
    """A server, to be used in the loop in which it lives but for `standing` and `connection`."""

    def __init__(self, name: str, settings: McpServer, around: Around) -> None:
        self.name: str = name
        self.settings: McpServer = settings
        self.standing: Standing = Standing(name)
        self.connection: Connection | None = None
        """Where it is ready."""
        self._around = around
        self._again = asyncio.Event()
        self._said = 0
        self._was_ready = False

    def restart(self) -> None:
        """Start it again, if it has failed."""
        self._again.set()

    async def live(self) -> None:
        """Keep it until the session ends: after it is lost it is started once more."""
        lives, name = 2, self.name
        while True:
            lives -= 1
            self._was_ready = False
            why = await self._once()
            if lives > 0 and self._was_ready:
                self._around.tell(f"The server {name} went away ({why}) and is started again.")
                continue
            self._put(Standing(name, "failed", why))
            self._around.tell(
                f"The server {name} is not there: {why}. /mcp restart {name} tries again."
            )
            self._again.clear()
            await self._again.wait()
            lives = 2

    async def _once(self) -> str:
        """From its start to its end; why it ended."""
        from octochat.mcp.connection import Hooks, connected

        around, news = self._around, asyncio.Event()
        path, before = around.logs / f"mcp-{self.name}.log", 0
        try:
            around.logs.mkdir(mode=0o700, parents=True, exist_ok=True)
            settings = expanded(self.settings, around.environment)
            with path.open("a", encoding="utf-8") as log:
                before = log.tell()
                hooks = Hooks(
                    around.tell,
                    self._say,
                    news.set,
                    lambda message, wants: around.ask(self.name, message, wants),
                    log,
                )
                async with asyncio.timeout(START) as limit:
                    line = connected(self.name, settings, around.seen, str(around.folder), hooks)
                    async with line as connection:
                        self._put(await connection.standing())
                        limit.reschedule(None)
                        self._was_ready, self.connection = True, connection
                        try:
                            await self._watch(connection, news)
                        finally:  # closing it may take seconds, in which nobody may use it
                            self.connection = None
                            self._put(replace(self.standing, status="starting"))
        except TimeoutError:
            return f"it was not ready within {START:.0f} s{last_line(path, before)}"
        except (MissingVariableError, OSError) as error:
            return one_line(str(error))
        except Exception as error:  # noqa: BLE001  whatever a server does
            return f"{reason_of(error)}{last_line(path, before)}"
        return f"the line broke{last_line(path, before)}"

    async def _watch(self, connection: "Connection", news: asyncio.Event) -> None:
        """Until the line is gone: take in every change of its lists."""
        listening = asyncio.create_task(connection.listen(news.set))
        lost = asyncio.create_task(connection.lost.wait())
        try:
            while not lost.done():
                waiting = asyncio.create_task(news.wait())
                await asyncio.wait((waiting, lost), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if news.is_set() and not lost.done():
                    news.clear()
                    before, after = self.standing, await connection.standing()
                    self._put(after)
                    if told := changed(before, after):
                        self._say(told)
        finally:
            listening.cancel()
            lost.cancel()

    def _put(self, standing: Standing) -> None:
        self.standing = standing
        self._around.put(standing)

    def _say(self, text: str) -> None:
        """A line that the server is the reason for: it may have very many."""
        self._said += 1
        if self._said <= LINES:
            self._around.tell(one_line(text))
        if self._said == LINES:
            self._around.tell(f"More that {self.name} says is not shown.")
