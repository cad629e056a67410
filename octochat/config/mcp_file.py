"""The servers that a session has: the configuration's, and those of a trusted `.mcp.json`.

Source: docs/mcp.md#a-projects-mcpjson.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, cast

from octochat.config.load import ANSWERS, Loaded, user_file
from octochat.config.project_trust import Answers, Claim, digest_of
from octochat.context.codec.trees import TreeError, from_tree
from octochat.mcp.settings import McpServer, OAuthSettings, fault
from octochat.project.text_file import UnusableFileError, read_text_file
from octochat.text.figures import count

LARGEST = 256 * 1024
"""Bytes of the file."""
_NAME: Final = ".mcp.json"
_OTHERS: Final = frozenset({"type", "transport", "disabled", "autoApprove", "alwaysAllow"})
"""Keys that other programs have there, which say nothing here."""

_OAUTH: Final = {"clientId": "client_id", "callbackPort": "port"}
"""Keys of a login by the names of other programs."""


@dataclass(frozen=True, slots=True)
class FoundServers:
    """What was found, trusted or not."""

    servers: Mapping[str, McpServer]
    """Those that are started, by name."""
    claims: tuple[Claim, ...] = ()
    """The file, if nobody trusts it."""
    notices: tuple[str, ...] = ()
    """What a person should know of it, one line each."""


def find_servers(loaded: Loaded, root: Path) -> FoundServers:
    """All servers for working in the project `root`; the configuration's win."""
    own = {name: each for name, each in loaded.config.mcp_servers.items() if each.enabled}
    if loaded.alone:
        return FoundServers(own)
    file = root / _NAME
    try:
        text = read_text_file(file, LARGEST).text
        found = dict(_servers(json.loads(text)))
    except FileNotFoundError:
        return FoundServers(own)
    except (UnusableFileError, ValueError, RecursionError) as error:
        return FoundServers(own, notices=(f"{file}: its servers are not taken: {error}",))
    digest = digest_of(text)
    said = Answers(user_file().with_name(ANSWERS)).of(file, digest)
    answer = True if loaded.trusts(root) else said
    if answer or not found:
        known = loaded.config.mcp_servers
        return FoundServers({**{n: s for n, s in found.items() if n not in known}, **own})
    wants = tuple(f"{name}: {_line(each)}" for name, each in found.items())
    told = f"{file}: {count(len(found), 'server')} of it will not start, for nobody has trusted it."
    notices = (f"{told} /trust shows and takes it.",) if answer is None else ()
    return FoundServers(own, (Claim(file, digest, wants, text),), notices)


def _servers(tree: object) -> Iterator[tuple[str, McpServer]]:
    """The servers of the file.

    Raises:
        ValueError: it is not of that form; the message names the key.
    """
    table = cast("Mapping[str, Any]", tree).get("mcpServers") if isinstance(tree, Mapping) else None
    if not isinstance(table, Mapping):
        raise ValueError('it has no table "mcpServers"')  # noqa: TRY004 - one kind of error
    known = {field.name for field in fields(McpServer)}
    for name, said in cast("Mapping[str, Any]", table).items():
        if not isinstance(said, Mapping):
            raise ValueError(f"mcpServers.{name} is no table")  # noqa: TRY004 - likewise
        given = cast("Mapping[str, Any]", said)
        if given.get("disabled") is True:
            continue
        if unknown := sorted(set(given) - known - _OTHERS):
            raise ValueError(f"mcpServers.{name}: unknown key {', '.join(unknown)}")
        try:
            server = from_tree(McpServer, {k: v for k, v in _own(given).items() if k in known})
        except TreeError as error:
            raise ValueError(f"mcpServers.{name}: {error}") from None
        if wrong := fault(name, server):
            raise ValueError(f"mcpServers.{name}: {wrong}")
        # A project may not spare itself a question, nor every request its price.
        yield name, replace(server, permission="ask", always_load=False)


def _own(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The keys of a login by octochat's names; other programs have more, which say nothing here."""
    said: object = given.get("oauth")
    if not isinstance(said, Mapping):
        return given
    ours = {part.name for part in fields(OAuthSettings)}
    login = {_OAUTH.get(key, key): value for key, value in cast("Mapping[str, Any]", said).items()}
    return {**given, "oauth": {key: value for key, value in login.items() if key in ours}}


def _line(server: McpServer) -> str:
    return server.url or " ".join((server.command, *server.args))
