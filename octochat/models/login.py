"""How one logs in to Anthropic's API, as far as the environment tells; no request is made."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

Login: TypeAlias = Literal["API key", "token", "none"]
"""`token` is an OAuth or setup token; `none`: a server that asks for nothing, or no server."""


def login(environment: Mapping[str, str]) -> Login:
    """The kind of login that the API is used with; a key goes before a token."""
    if environment.get("ANTHROPIC_API_KEY", "").strip():
        return "API key"
    return "token" if environment.get("ANTHROPIC_AUTH_TOKEN", "").strip() else "none"
