"""A login that a person has begun: the address to open, and where the browser comes back to.

It is begun in the thread of the chat and goes on in that of the servers. It knows no SDK.
"""

import asyncio
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from octochat.mcp.login_file import LoginFile

PATIENCE = 300.0
"""Seconds that a person has to log in."""
_LONGEST = 16_000
"""Bytes of what the browser says."""
_DONE = "You are logged in. Close this page and go back to octochat."
_NOT_DONE = "The login came to nothing; octochat says why. You can close this page."


class LoginNeededError(Exception):
    """The server wants a login, and nobody has begun one."""


class Login:
    """One login."""

    def __init__(self) -> None:
        self.address: Future[str] = Future()
        """What is to be opened, or the reason why there is nothing; empty: no login is needed."""
        self.over: bool = False
        """Whether the browser has come back, or nobody waits for it any more."""
        self.short: str = ""
        """An address of this machine that leads to it."""
        self._way = f"/{secrets.token_urlsafe(4)}"
        self._back: asyncio.Future[Mapping[str, str]] | None = None
        self._state = ""

    def show(self, address: str, port: int) -> None:
        """The address to open is known; `port` is where the browser comes back to.

        Raises:
            ValueError: it is no address for a browser.
        """
        parts = urlsplit(address)
        local = parts.hostname in ("127.0.0.1", "localhost", "::1")
        if parts.scheme != "https" and not (parts.scheme == "http" and local):
            raise ValueError(f"the address for the login is no https://: {address[:200]}")
        self._state = _first(address).get("state", "")
        self.short = f"http://127.0.0.1:{port}{self._way}"
        if not self.address.done():
            self.address.set_result(address)

    def fail(self, why: str) -> None:
        """It has come to nothing."""
        self.over = True
        if not self.address.done():
            self.address.set_exception(LoginNeededError(why))

    def none_needed(self) -> bool:
        """The server is there; whether the person has logged in for that."""
        self.over = True
        shown = self.address.done()
        if not shown:
            self.address.set_result("")
        return shown

    def take(self, address: str) -> bool:
        """Where the browser was sent back to, from any thread; whether it belongs to this login."""
        given, back = _first(address), self._back
        mine = bool(self._state) and given.get("state") == self._state
        if not (mine and back and ("code" in given or "error" in given)):
            return False
        back.get_loop().call_soon_threadsafe(_set, back, given)
        return True

    async def come_back(self, line: socket.socket) -> Mapping[str, str]:
        """What the browser says that comes back to `line`, which is then closed.

        Raises:
            LoginNeededError: nobody came in time, or the server said no.
        """
        self._back = asyncio.get_running_loop().create_future()
        server = await asyncio.start_server(self._heard, sock=line)
        try:
            async with server, asyncio.timeout(PATIENCE):
                given = await self._back
        except TimeoutError:
            raise LoginNeededError(f"nobody logged in within {PATIENCE / 60:.0f} minutes") from None
        finally:
            self.over = True
        if "code" not in given:
            why = given.get("error_description") or given.get("error", "")
            raise LoginNeededError(f"the login was refused: {why[:200]}")
        return given

    async def _heard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of a browser."""
        with closing(writer):
            try:
                async with asyncio.timeout(10):
                    head = await reader.readuntil(b"\r\n")
            except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
                return
            asked = head[:_LONGEST].decode("latin-1").split(" ")
            path = asked[1] if asked[0] == "GET" and len(asked) > 1 else ""
            writer.write("\r\n".join(self._answer(path)).encode())
            await writer.drain()

    def _answer(self, path: str) -> tuple[str, ...]:
        """The lines for a browser that asks for a path."""
        plain = ("Content-Type: text/plain; charset=utf-8", "Connection: close", "")
        if path == self._way:
            return ("HTTP/1.1 302 Found", f"Location: {self.address.result()}", *plain, "")
        if self.take(path):
            return ("HTTP/1.1 200 OK", *plain, _DONE if "code=" in path else _NOT_DONE)
        return ("HTTP/1.1 404 Not Found", *plain, "Nothing is here.")


@dataclass(frozen=True, slots=True)
class Access:
    """What is needed to be let in by a server."""

    file: LoginFile
    secret: str
    """The client's, if it has one."""
    login: Login | None
    """What the person has begun."""
    refused: Callable[[], None]
    """Told that the server wants a login that there is not."""


def bound(port: int) -> socket.socket:
    """A line on this machine for the browser to come back to; 0: any port that is free.

    Raises:
        OSError: the port is taken.
    """
    return socket.create_server(("127.0.0.1", port))


def opened(address: str) -> bool:
    """Open an address in the person's browser; whether that could be tried.

    One that would take over the terminal is left alone.
    """
    shown = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if sys.platform.startswith("linux") and not shown:
        return False
    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False


def _first(address: str) -> dict[str, str]:
    """What an address asks for, each name once."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address.strip()).query).items()}


def _set(future: "asyncio.Future[Mapping[str, str]]", given: Mapping[str, str]) -> None:
    if not future.done():
        future.set_result(given)
