"""All servers of a session, in a thread of their own, as the rest of octochat uses them.

Whatever a server does, the chat goes on: nothing here raises but for the call that it is about.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octochat.context.codec.bounds import seconds
from octochat.mcp.life import Around, ServerLife
from octochat.mcp.lines import look_after, no_line, within
from octochat.mcp.login import Login
from octochat.mcp.offered import ServerTool, Standing
from octochat.mcp.questions import Questions
from octochat.mcp.settings import McpServer
from octochat.text.harmless import one_line
from octochat.tools.base import ToolError

if TYPE_CHECKING:
    from octochat.mcp.connection import Connection

WAIT = 10.0
"""Seconds that the first request waits for servers that are starting."""
END = 8.0
"""Seconds that they have to end."""
NOT_INSTALLED = 'MCP servers need one more package: pip install "octochat[mcp]"'


class McpHost:
    """All servers of a session."""

    def __init__(
        self,
        servers: Mapping[str, McpServer],
        *,
        folder: Path,
        logs: Path,
        logins: Path,
        person: bool,
        environment: Mapping[str, str],
        seen: Mapping[str, str],
        tell: Callable[[str], None],
    ) -> None:
        """Nothing is started yet.

        Args:
            servers: those that are enabled, by name.
            folder: the working folder.
            logs: where goes what they print.
            logins: where logins are kept.
            person: whether there is a chat in which somebody can log in.
            environment: for the variables in their settings.
            seen: what their processes see.
            tell: takes a line for the person, from any thread.
        """
        self.settings: Mapping[str, McpServer] = dict(servers)
        self.questions: Questions = Questions()
        self.told: Callable[[], object] = lambda: None
        """Called, in the thread of the servers, whenever there is a new line for the person."""
        self._line = tell
        self._around = Around(
            folder, logs, environment, seen, logins, person, self._tell, self._put, self._ask
        )
        self._hearing: dict[str, Callable[[str], None]] = {}
        self._standing = {name: Standing(name) for name in servers}
        self._lives: Mapping[str, ServerLife] = {}
        self._settled = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ending: asyncio.Event | None = None

    @property
    def standing(self) -> Sequence[Standing]:
        """Every server as it stands now, by name."""
        return tuple(each for _, each in sorted(self._standing.items()))

    @property
    def tools(self) -> Sequence[ServerTool]:
        """The tools of those that are ready, sorted."""
        return tuple(tool for each in self.standing for tool in each.tools)

    def tool(self, full: str) -> ServerTool | None:
        """The tool that the model calls so."""
        return next((tool for tool in self.tools if tool.definition.name == full), None)

    def start(self) -> None:
        """Begin to connect, in a thread; at once back. Only the first time."""
        if self.settings and self._thread is None:
            self._thread = threading.Thread(target=self._live, name="mcp", daemon=True)
            self._thread.start()

    async def settled(self, limit: float = WAIT) -> None:
        """Wait until every server is ready or has failed, or the time is over."""
        self.start()
        if not self._settled.is_set() and self.settings:
            await asyncio.to_thread(self._settled.wait, limit)

    async def call(
        self, tool: ServerTool, given: Mapping[str, Any], progress: Callable[[str], None]
    ) -> Any:
        """The SDK's result of a call.

        Raises:
            ToolError: the server is not there, failed, or took too long.
        """
        here = asyncio.get_running_loop()

        def heard(text: str) -> None:
            here.call_soon_threadsafe(progress, text)

        self._hearing[tool.server] = heard
        try:
            return await self._there(tool.server, lambda line: line.call(tool.name, given, heard))
        finally:
            self._hearing.pop(tool.server, None)

    async def prompt(self, server: str, name: str, given: Mapping[str, str]) -> Any:
        """The SDK's messages of a prompt; raises as `call` does."""
        return await self._there(server, lambda line: line.prompt(name, given))

    async def read(self, server: str, uri: str) -> Any:
        """The SDK's contents of a resource; raises as `call` does."""
        return await self._there(server, lambda line: line.read(uri))

    def restart(self, name: str) -> bool:
        """Start a server again that has failed; whether there is one of that name."""
        life, loop = self._lives.get(name), self._loop
        if life and loop:
            self._put(Standing(name))
            loop.call_soon_threadsafe(life.restart)
        return life is not None

    def login(self, name: str) -> Login | str:
        """Begin to log in to a server, or go on with it; or why that can't be."""
        life, loop = self._lives.get(name), self._loop
        if not self._around.person:
            return f"nobody can log in here: start octochat without -p and type /mcp login {name}"
        if life is None or loop is None:
            return f"there is no server {name}" if self._loop else "the servers have not started"
        if life.login:
            return life.login
        if life.standing.status != "failed":
            return f"{name} is {life.standing.status} and asks for no login"
        if not life.settings.url:
            return f"{name} is a program of yours; only servers with a url have a login"
        login = Login()
        self._put(Standing(name, why="you are logging in"))
        loop.call_soon_threadsafe(life.restart, login)
        return login

    def logout(self, name: str) -> bool:
        """Forget the login to a server, and let go of it; whether there was one.

        Raises:
            OSError: the file can't be removed.
        """
        life = self._lives.get(name)
        if life is None or not life.file.forget():
            return False
        if life.connection:
            life.connection.lose()
        return True

    def close(self) -> None:
        """End all servers, and wait for that."""
        loop, ending, thread = self._loop, self._ending, self._thread
        if loop and ending:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(ending.set)
        if thread:
            thread.join(END)

    async def _there(self, server: str, act: "Callable[[Connection], Awaitable[Any]]") -> Any:
        """Do something in the thread of the servers."""
        loop, standing = self._loop, self._standing.get(server)
        if standing is None or loop is None:
            raise ToolError(f"There is no server {server}.")
        if standing.status == "starting":
            await self.settled()
        life = self._lives.get(server)
        line = life and life.connection
        if line is None:
            why = self._standing[server].why or "it is not ready"
            raise ToolError(f"The server {server} can't be reached: {why}.")
        limit = seconds(self.settings[server].timeout)
        doing = within(act, line, limit, lambda: self.questions.waited(server))
        future: Future[Any] = asyncio.run_coroutine_threadsafe(doing, loop)
        try:
            return await asyncio.wrap_future(future)
        except TimeoutError:
            asyncio.run_coroutine_threadsafe(look_after(line), loop)
            raise ToolError(
                f"The server {server} gave no answer within {self.settings[server].timeout} "
                f"(timeout in [mcp_servers.{server}])."
            ) from None
        except ToolError:
            raise
        except Exception as error:
            if line.refused:
                raise ToolError(
                    f"The server {server} did not do it: it wants the person to log in again. "
                    f"They can with /mcp login {server}."
                ) from error
            if line.lost.is_set() or no_line(error):
                line.lose()
                raise ToolError(
                    f"The server {server} went away during the call, and is started again. What "
                    "it had done by then is not known: look before you call again."
                ) from error
            raise ToolError(f"{server}: {one_line(str(error)) or type(error).__name__}") from error

    def _live(self) -> None:
        """The thread: load the SDK, and keep the servers until the session ends."""
        quiet = logging.getLogger("mcp")  # what it logs would go to the screen
        quiet.addHandler(logging.NullHandler())
        quiet.propagate = False
        try:
            import_module("octochat.mcp.connection")
        except ImportError as error:
            missing = (error.name or "").partition(".")[0] in ("mcp", "mcp_types")
            why = NOT_INSTALLED if missing else f"the MCP package can't be loaded: {error}"
            for name in self.settings:
                self._put(Standing(name, "failed", why))
            self._tell(why)
            self._settled.set()
            return
        with suppress(Exception):
            asyncio.run(self._serve_all())
        self._settled.set()

    async def _serve_all(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ending = asyncio.Event()
        lives = {n: ServerLife(n, each, self._around) for n, each in self.settings.items()}
        self._lives = lives
        tasks = [asyncio.create_task(life.live()) for life in lives.values()]
        await self._ending.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _tell(self, line: str) -> None:
        self._line(line)
        self.told()

    async def _ask(self, name: str, message: str, wants: object) -> Mapping[str, Any] | None:
        def tell(line: str) -> None:
            hearing = self._hearing.get(name)
            hearing(f"{line}\n") if hearing else self._tell(line)

        return await self.questions.ask(name, message, wants, tell)

    def _put(self, standing: Standing) -> None:
        self._standing = {**self._standing, standing.name: standing}
        if all(each.status != "starting" for each in self._standing.values()):
            self._settled.set()
        else:
            self._settled.clear()
