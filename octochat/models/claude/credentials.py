"""What logs in to the Messages API and where, as the environment says it. Nobody is contacted.

A key is told to nobody: neither `repr` nor any word about what is wrong with one shows it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import urlsplit

from octochat.models.provider import Lack

KEY: Final = "ANTHROPIC_API_KEY"
TOKEN: Final = "ANTHROPIC_AUTH_TOKEN"  # noqa: S105  its name
URL: Final = "ANTHROPIC_BASE_URL"
NO_KEY: Final = Lack(
    "No API key is set",
    f"Set {KEY}, or {URL} for a local server that speaks the Messages API.",
)
WRONG_ADDRESS: Final = Lack(
    f"{URL} is no address of a server",
    f"Write it whole, such as https://api.anthropic.com or http://localhost:8000: {URL}.",
)
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""Names of this machine."""
_SENDABLE = re.compile(r"[\x21-\x7e]+")
"""What an HTTP header may hold of a key."""
_HIDDEN = "[key]"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login. White space around each part does not count: files and pipes leave line ends."""

    key: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    """Taken where there is no key."""
    url: str = ""
    """The server; empty for Anthropic's own."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self:
        """What the environment says."""
        return cls(*(environment.get(name, "").strip() for name in (KEY, TOKEN, URL)))

    @property
    def lack(self) -> Lack | None:
        """What keeps it from being used, and what to do; None if nothing does."""
        if not (self.key or self.token or self.url):
            return NO_KEY
        for name, secret in ((KEY, self.key), (TOKEN, self.token)):
            if secret and not _SENDABLE.fullmatch(secret):
                return Lack(
                    f"{name} can't be a key: there is {_odd(secret)} in it",
                    f"Set {name} anew, to the key alone and on one line.",
                )
        return None if not self.url or _is_address(self.url) else WRONG_ADDRESS

    def hidden(self, text: str) -> str:
        """A text from outside, without the key where somebody has put it in."""
        for secret in filter(None, (self.key, self.token)):
            text = text.replace(secret, _HIDDEN)
        return text


def _odd(secret: str) -> str:
    if re.search(r"[\r\n]", secret):
        return "a line end"
    return "white space" if re.search(r"\s", secret) else "a character that no key has"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        spoken = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        return False
    return bool(host) and spoken and not re.search(r"[\s\0-\x1f]", url)
