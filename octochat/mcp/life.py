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
from octochat.mcp.login import PATIENCE, Access, Login
from octochat.mcp.login_file import LoginFile
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
    logins: Path
    """Where logins are kept."""
    person: bool
    """Whether there is a chat in which somebody can log in."""
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
        self.login: Login | None = None
        """What the person has begun, until it is over."""
        self._again = asyncio.Event()
        self._said = 0
        self._was_ready = False
        self._refused = False
        self._renewed = False
        """Whether a token that was refused has been renewed once."""

    @property
    def file(self) -> LoginFile:
        """What is kept of the login to it. May raise MissingVariableError."""
        url = expanded(self.settings, self._around.environment).url
        return LoginFile(self._around.logins, self.name, url)

    def restart(self, login: Login | None = None) -> None:
        """Start it again, if it has failed; with a login that the person has begun."""
        self.login = login
        self._again.set()

    async def live(self) -> None:
        """Keep it until the session ends: after it is lost it is started once more."""
        lives, name = 2, self.name
        while True:
            lives -= 1
            self._was_ready = self._refused = False
            why = await self._once()
            if self._refused and not self._renewed and self.file.renewable:
                self._renewed = True
                self.file.add(ends=1.0)  # long ago; the SDK takes 0 for never
                continue
            self._end_login(why)
            if self._refused:
                why = self._how_to_log_in()
            elif lives > 0 and self._was_ready:
                self._around.tell(f"The server {name} went away ({why}) and is started again.")
                continue
            self._put(Standing(name, "failed", why))
            again = "" if self._refused else f" /mcp restart {name} tries again."
            self._around.tell(f"The server {name} is not there: {why}.{again}")
            self._again.clear()
            await self._again.wait()
            lives, self._renewed = 2, False

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
                start = START + (PATIENCE if self.login else 0)
                folder, access = str(around.folder), self._access(settings)
                async with asyncio.timeout(start) as limit:
                    line = connected(self.name, settings, around.seen, folder, hooks, access)
                    async with line as connection:
                        self._put(await connection.standing())
                        limit.reschedule(None)
                        self._end_login()
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

    def _access(self, settings: McpServer) -> Access:
        named, secret = settings.oauth.client_secret_env, ""
        if named and not (secret := self._around.environment.get(named, "")):
            raise MissingVariableError(f"the variable {named} is not set (client_secret_env)")
        return Access(self.file, secret, self.login, self._refuse)

    def _refuse(self) -> None:
        self._refused = True

    def _how_to_log_in(self) -> str:
        if any(name.lower() == "authorization" for name in self.settings.headers):
            return "it refuses the Authorization header that you gave it (401)"
        how = f"/mcp login {self.name}"
        if self._around.person:
            return f"it wants a login ({how})"
        return (
            f"it wants a login: start octochat without -p and type {how}; from then on -p is "
            "logged in, too"
        )

    def _end_login(self, why: str = "") -> None:
        """The login has come to its end; `why` it came to nothing."""
        login, self.login = self.login, None
        if login and "registration" in why.lower():
            why += f"; register octochat there and give [mcp_servers.{self.name}.oauth] client_id"
        if login and why:
            login.fail(why)
        elif login and login.none_needed():
            self._around.tell(f"You are logged in to {self.name}.")

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
