"""`${VAR}` and `${VAR:-default}` in the settings of a server."""

import re
from collections.abc import Mapping
from dataclasses import replace

from octochat.mcp.settings import McpServer

_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


class MissingVariableError(Exception):
    """A variable is not set and has no default; `str(error)` says what to do."""


def expanded(server: McpServer, environment: Mapping[str, str]) -> McpServer:
    """The settings with what their variables stand for.

    Raises:
        MissingVariableError: one is not set.
    """

    def text(value: str) -> str:
        return _VARIABLE.sub(lambda found: _value(found, environment), value)

    return replace(
        server,
        command=text(server.command),
        args=tuple(map(text, server.args)),
        env={name: text(value) for name, value in server.env.items()},
        cwd=text(server.cwd),
        url=text(server.url),
        headers={name: text(value) for name, value in server.headers.items()},
    )


def _value(found: re.Match[str], environment: Mapping[str, str]) -> str:
    name, default = found[1], found[2]
    value = environment.get(name) or default
    if value is None:
        raise MissingVariableError(
            f"the variable {name} is not set: set it, or write ${{{name}:-DEFAULT}}"
        )
    return value
