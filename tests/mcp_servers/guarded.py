"""A real server that wants a login, and gives it to who asks: its own authorization server.

`python -m tests.mcp_servers.guarded NAME SOCKET PORT`; a client `known` may come back to PORT;
0: nobody else is registered.
"""

import secrets
import socket
import sys
import time
from collections import Counter

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl, AnyUrl
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

KNOWN, SECRET = "known", "s3cret-of-the-client"
LASTS = 3600
"""Seconds that a token is good for."""


class Accounts(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Everybody is let in; what was done is counted."""

    def __init__(self, port: int) -> None:
        back = AnyUrl(f"http://127.0.0.1:{port}/callback")
        known = OAuthClientInformationFull(
            client_id=KNOWN,
            client_secret=SECRET,
            redirect_uris=[back],
            scope="use more",
            token_endpoint_auth_method="client_secret_basic",
        )
        self.clients = {KNOWN: known}
        self.codes: dict[str, AuthorizationCode] = {}
        self.tokens: dict[str, AccessToken] = {}
        self.renewals: dict[str, RefreshToken] = {}
        self.seen: Counter[str] = Counter()

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.seen["registered"] += 1
        self.clients[client_info.client_id] = client_info

    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        self.seen["authorized"] += 1
        self.seen[f"scopes {' '.join(params.scopes or ())}"] += 1
        code = AuthorizationCode(
            code=secrets.token_urlsafe(),
            scopes=params.scopes or ["use"],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        return self._given(client, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        return self.renewals.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        self.seen["renewed"] += 1
        del self.renewals[refresh_token.token]
        return self._given(client, scopes, refresh_token.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.tokens.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.tokens.pop(token.token, None)

    def _given(
        self, client: OAuthClientInformationFull, scopes: list[str], resource: str | None
    ) -> OAuthToken:
        token, renewal = secrets.token_urlsafe(), secrets.token_urlsafe()
        who = client.client_id
        self.tokens[token] = AccessToken(
            token=token, client_id=who, scopes=scopes, resource=resource
        )
        self.renewals[renewal] = RefreshToken(
            token=renewal, client_id=who, scopes=scopes, resource=resource
        )
        return OAuthToken(
            access_token=token, expires_in=LASTS, refresh_token=renewal, scope=" ".join(scopes)
        )


def build(name: str, origin: str, accounts: Accounts, *, registers: bool) -> MCPServer:
    """The server behind its login; `registers`: whoever asks is registered."""
    server = MCPServer(
        name,
        auth_server_provider=accounts,
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(origin),
            resource_server_url=AnyHttpUrl(f"{origin}/mcp"),
            client_registration_options=ClientRegistrationOptions(
                enabled=registers, valid_scopes=["use", "more"], default_scopes=["use", "more"]
            ),
            required_scopes=["use"],
            validate_token_resource=True,
        ),
    )

    @server.tool()
    def peek() -> str:
        """Look at something."""
        return "seen"

    @server.tool()
    def revoke() -> str:
        """Let all tokens end; they can be renewed."""
        accounts.tokens.clear()
        return "revoked"

    @server.tool()
    def revoke_all() -> str:
        """Let all logins end."""
        accounts.tokens.clear()
        accounts.renewals.clear()
        return "revoked"

    @server.custom_route("/seen", methods=["GET"])
    async def seen(request: Request) -> Response:
        del request
        return JSONResponse(dict(accounts.seen))

    return server


def main() -> None:
    """Serve on a socket that listens already."""
    name, number, port = sys.argv[1:]
    line = socket.socket(fileno=int(number))
    origin = f"http://127.0.0.1:{line.getsockname()[1]}"
    app = build(name, origin, Accounts(int(port) or 1), registers=port != "0").streamable_http_app()
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[line])


if __name__ == "__main__":
    main()
