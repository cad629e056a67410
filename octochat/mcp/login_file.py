"""What is kept of the login to one server: a file that only its owner reads. It knows no SDK.

Source: docs/mcp.md#servers-that-want-a-login.
"""

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit


class LoginFile:
    """The file of a server. What another address has is never taken."""

    def __init__(self, folder: Path, name: str, url: str) -> None:
        """`folder` holds those of all servers; `url` is the server's address."""
        self.path: Path = folder / f"{name}-{sha256(url.encode()).hexdigest()[:10]}.json"
        self._url = url

    def read(self) -> Mapping[str, Any]:
        """What is kept; nothing where that is nothing sound."""
        try:
            tree: object = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        known = _table(tree)
        return known if known.get("url") == self._url else {}

    def add(self, **more: object) -> None:
        """Keep more, in place of what was known of it.

        Raises:
            OSError: it can't be written; the file is as it was.
        """
        text = json.dumps({**self.read(), "url": self._url, **more}, indent=1)
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self.path.with_suffix(f".{os.getpid()}.new")
        file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(file, "w", encoding="utf-8") as writing:
                writing.write(text)
            fresh.replace(self.path)
        finally:
            fresh.unlink(missing_ok=True)

    def forget(self) -> bool:
        """Remove it; whether there was anything.

        Raises:
            OSError: it can't be removed.
        """
        kept = self.path.exists()
        self.path.unlink(missing_ok=True)
        return kept

    @property
    def signed_in(self) -> bool:
        """Whether there is a login."""
        return bool(self.read().get("tokens"))

    @property
    def renewable(self) -> bool:
        """Whether the server may give a new token for the one that has run out."""
        return bool(_table(self.read().get("tokens")).get("refresh_token"))

    @property
    def port(self) -> int:
        """Where the browser came back to when octochat was registered; 0: nowhere."""
        match _table(self.read().get("client")).get("redirect_uris"):
            case [str(address), *_]:
                return urlsplit(address).port or 0
            case _:
                return 0


def _table(tree: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", tree) if isinstance(tree, dict) else {}
