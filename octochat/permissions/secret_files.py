"""Files that hold secrets by their name: only a rule that names them allows to read them unasked.

Source: docs/permissions.md#files-that-hold-secrets.
"""

import re
from contextlib import suppress
from pathlib import Path, PurePath

from octochat.sandbox.secrets import is_dotenv

_KEYS = re.compile(
    r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|\.netrc|\.pgpass|\.git-credentials|\.pypirc"
    r"|.*\.(?:pem|key|p12|pfx|ppk|jks|keystore)"
)
"""In small letters."""
_LOGIN = re.compile(r"://[^/\s]*@|extraheader|password|token|credential", re.IGNORECASE)
_LARGEST = 100_000
"""Bytes of a git configuration that is looked into."""


def holds_secrets(path: PurePath) -> bool:
    """Whether a file is taken to hold secrets, or a pattern to be about such files."""
    name = path.name.lower()
    in_git = name == "config" and ".git" in path.parts
    return in_git or is_dotenv(name) or _KEYS.fullmatch(name) is not None


def is_plain_git_config(path: Path) -> bool:
    """Whether it is a git configuration without a login in it, as most are."""
    if path.name != "config" or not holds_secrets(path):
        return False
    with suppress(OSError), path.open(errors="replace") as file:
        text = file.read(_LARGEST + 1)
        return len(text) <= _LARGEST and _LOGIN.search(text) is None
    return False
