"""Servers for tests: how one of this machine is configured, and one that is reached by HTTP."""

import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from tests.root import ROOT


def stdio(name: str, tools: int, more: str = "") -> str:
    """The table of a server that octochat starts."""
    return (
        f'[mcp_servers.{name}]\ncommand = "{sys.executable}"\n'
        f'args = ["-m", "tests.mcp_servers.server", "{name}", "{tools}"]\n'
        f'env = {{ PYTHONPATH = "{ROOT}" }}\n{more}\n'
    )


def http(name: str, url: str, more: str = "") -> str:
    """The table of a server that is reached by HTTP."""
    return f'[mcp_servers.{name}]\nurl = "{url}"\n{more}\n'


@contextmanager
def serving(name: str, tools: int, port: int = 0) -> Generator[str]:
    """A server on a port of this machine (0: any); its address. Who comes early waits."""
    with _listening("tests.mcp_servers.server", (name, str(tools)), (), port) as address:
        yield address


@contextmanager
def guarding(name: str, back: int = 1) -> Generator[str]:
    """A server that wants a login; the client that it knows may come back to the port `back`."""
    with _listening("tests.mcp_servers.guarded", (name,), (str(back),), 0) as address:
        yield address


@contextmanager
def _listening(
    module: str, before: Sequence[str], behind: Sequence[str], port: int
) -> Generator[str]:
    with socket.create_server(("127.0.0.1", port), backlog=50) as line:
        port = line.getsockname()[1]
        number = line.fileno()
        words = [sys.executable, "-m", module, *before, str(number), *behind]
        silent = subprocess.DEVNULL
        with subprocess.Popen(
            words, cwd=ROOT, stdout=silent, stderr=silent, pass_fds=(number,)
        ) as process:
            line.close()  # who comes once the server is gone is refused
            try:
                yield f"http://127.0.0.1:{port}/mcp"
            finally:
                process.kill()
