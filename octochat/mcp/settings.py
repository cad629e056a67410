"""`[mcp_servers.NAME]`: how a server is reached, and what is taken of it. Plain values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from octochat.context.codec.bounds import Duration

NAME: Final = re.compile(r"(?!.*__)[A-Za-z0-9_-]{1,40}(?<!_)")
"""What a server may be called: its name is a part of those of its tools."""
NAME_RULE: Final = "1 to 40 letters, digits, - and _, without two _ in a row and none at the end"


@dataclass(frozen=True, slots=True)
class OAuthSettings:
    """`[mcp_servers.NAME.oauth]`: how octochat logs in to a server that wants it."""

    client_id: str = ""
    """What octochat is called there if you have registered it. Empty: it registers itself."""
    client_secret_env: str = ""
    """The variable that holds its secret, if it was given one."""
    scopes: tuple[str, ...] = ()
    """What to ask for. Empty: what the server proposes."""
    port: int = 0
    """The browser comes back to http://127.0.0.1:PORT/callback. 0: any port that is free."""
    browser: bool = False
    """Whether /mcp login opens your browser, too; it always shows the address."""


@dataclass(frozen=True, slots=True)
class McpServer:
    """One server."""

    command: str = ""
    """The program that is the server, for one that runs here. Its input and output are the line.
    In this and all texts below, ${VAR} is that variable, and ${VAR:-x} is x where it is not set."""
    args: tuple[str, ...] = ()
    """The program's arguments."""
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables for the program, besides those that commands of the model see."""
    cwd: str = ""
    """The folder that it runs in. Empty: the working folder."""
    url: str = ""
    """The address of a server that is reached by HTTP, in place of `command`."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headers for each request to it, such as { Authorization = "Bearer ${TOKEN}" }."""
    oauth: OAuthSettings = OAuthSettings()
    """How octochat logs in to it."""
    description: str = ""
    """What it is for, in a few words to the model. Empty: what the server says of itself."""
    include: tuple[str, ...] = ()
    """The tools to take, by name or pattern, such as "get_*". Empty: all."""
    exclude: tuple[str, ...] = ()
    """Tools to leave out, by name or pattern."""
    timeout: Duration = "1m"
    """How long a call may take."""
    always_load: bool = False
    """Show its tools from the start, instead of when the model looks for them. Costs their size in
    every request."""
    permission: Literal["ask", "allow"] = "ask"
    """"allow": do not ask about tools that only read, as the server says. Rules for single tools
    stand in [permissions], such as "mcp__github__*"."""
    enabled: bool = True
    """Whether it is started at all."""


def fault(name: str, server: McpServer) -> str:
    """What is wrong with a server's table and what to do; empty where nothing is."""
    if not NAME.fullmatch(name):
        return f'a server can\'t be called "{name}": use {NAME_RULE}'
    if bool(server.command) == bool(server.url):
        both = "has both command and url" if server.command else "has neither command nor url"
        return f"{name} {both}: give one of them"
    if server.url and not server.url.startswith(("https://", "http://", "${")):
        return f"the url of {name} must begin with https:// or http://"
    return ""
