"""Logs in to a server that is reached by HTTP, as the SDK does it. It knows no session.

To be loaded where `connection` is. Source: docs/mcp.md#servers-that-want-a-login.
"""

import socket
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl, BaseModel, ValidationError

from octochat import __version__
from octochat.mcp.login import Access, LoginNeededError, bound
from octochat.mcp.login_file import LoginFile
from octochat.mcp.settings import McpServer

Model = TypeVar("Model", bound=BaseModel)


@asynccontextmanager
async def authorised(settings: McpServer, access: Access) -> AsyncGenerator[httpx2.Auth | None]:
    """What signs requests to a server; None where there is no login and nobody has begun one.

    `settings` are the server's, with all variables in place.
    """
    named = {name.lower() for name in settings.headers}
    if "authorization" in named or not (access.login or access.file.signed_in):
        yield None
        return
    line, port = None, access.file.port
    if access.login:
        line = _line(settings.oauth.port or port)
        port = line.getsockname()[1]
    try:
        yield _provider(settings, access, port, _Person(settings, access, line))
    finally:
        if line:
            line.close()


def _line(port: int) -> socket.socket:
    """Where the browser comes back to: where it did before, if that is free."""
    try:
        return bound(port)
    except OSError:
        return bound(0)


class _Person:
    """The person's part in a login."""

    def __init__(self, settings: McpServer, access: Access, line: socket.socket | None) -> None:
        self._settings = settings
        self._access = access
        self._line = line

    async def sent(self, address: str) -> None:
        """Show them the address where they log in."""
        login = self._access.login
        if login is None or login.over:
            self._access.refused()
            raise LoginNeededError("it wants a login")
        assert self._line
        port = self._line.getsockname()[1]
        login.show(_asking(address, self._settings.oauth.scopes), port)

    async def came_back(self) -> AuthorizationCodeResult:
        """Wait until they have."""
        assert self._access.login
        assert self._line
        given = await self._access.login.come_back(self._line)
        return AuthorizationCodeResult(
            code=given["code"], state=given.get("state"), iss=given.get("iss")
        )


class _Storage:
    """The file, as the SDK wants to use it."""

    def __init__(self, file: LoginFile, client: OAuthClientInformationFull | None) -> None:
        """`client` is what octochat is called there where the person has registered it."""
        self._file = file
        self._client = client
        self.provider: OAuthClientProvider | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return _read(OAuthToken, self._file.read().get("tokens"))

    async def set_tokens(self, tokens: OAuthToken) -> None:
        assert self.provider
        context = self.provider.context
        self._file.add(
            tokens=_plain(tokens),
            ends=time.time() + tokens.expires_in if tokens.expires_in is not None else None,
            server=_plain(context.oauth_metadata),
            resource=_plain(context.protected_resource_metadata),
            issuer=context.auth_server_url,
        )

    def settle(self) -> None:
        """The server is known now: the person's own client shows its secret as that wants it."""
        assert self.provider
        if client := self._client:
            known = self.provider.context.oauth_metadata
            client.token_endpoint_auth_method = _method(client.client_secret or "", known)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client or _read(OAuthClientInformationFull, self._file.read().get("client"))

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._file.add(client=_plain(client_info))


def _provider(
    settings: McpServer, access: Access, port: int, person: _Person
) -> OAuthClientProvider:
    oauth, file, kept = settings.oauth, access.file, access.file.read()
    back = AnyUrl(f"http://127.0.0.1:{port}/callback")
    server = _read(OAuthMetadata, kept.get("server"))
    client: OAuthClientInformationFull | None = None
    if oauth.client_id:
        client = OAuthClientInformationFull(
            client_id=oauth.client_id,
            client_secret=access.secret or None,
            redirect_uris=[back],
            token_endpoint_auth_method=_method(access.secret, server),
        )
    elif file.port and file.port != port:
        file.add(client=None)  # it was registered to come back elsewhere
    storage = _Storage(file, client)

    async def sent(address: str) -> None:
        storage.settle()
        await person.sent(address)

    provider = OAuthClientProvider(
        settings.url,
        OAuthClientMetadata(
            redirect_uris=[back],
            client_name="octochat",
            software_version=__version__,
            scope=" ".join(oauth.scopes) or None,
        ),
        storage,
        sent,
        person.came_back,
    )
    storage.provider = provider
    # The SDK forgets when a token ends and where it is renewed: a session later it would ask anew.
    provider.context.token_expiry_time = kept.get("ends")
    provider.context.oauth_metadata = server
    resource = _read(ProtectedResourceMetadata, kept.get("resource"))
    provider.context.protected_resource_metadata = resource
    provider.context.auth_server_url = kept.get("issuer")
    return provider


def _method(secret: str, server: OAuthMetadata | None) -> str:
    """How a client shows its secret: in the header, unless the server takes only the other way."""
    ways = (server and server.token_endpoint_auth_methods_supported) or []
    if not secret:
        return "none"
    basic = "client_secret_basic"
    return "client_secret_post" if basic not in ways and "client_secret_post" in ways else basic


def _asking(address: str, scopes: tuple[str, ...]) -> str:
    """The address of the login, for what the person wants to ask for."""
    if not scopes:
        return address
    parts = urlsplit(address)
    query = {**dict(parse_qsl(parts.query)), "scope": " ".join(scopes)}
    return parts._replace(query=urlencode(query)).geturl()


def _plain(model: BaseModel | None) -> Mapping[str, Any] | None:
    return model.model_dump(mode="json", exclude_none=True) if model else None


def _read(kind: type[Model], tree: object) -> Model | None:
    try:
        return kind.model_validate(tree) if tree else None
    except ValidationError:
        return None
