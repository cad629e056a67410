"""What looks like a secret: names of variables, and keys of known shapes in a text.

It goes by looks alone. Every pattern takes time in proportion to the text.
Source: docs/permissions.md#secrets.
"""

import re
from typing import Final

_NAMES: Final = re.compile(
    r"(?:.*_)?(?:KEY|KEYS|APIKEY|\w*TOKEN|TOKENS|\w*SECRET|SECRETS|\w*PASSWORD|\w*PASSWD|PASS|"
    r"\w*PASSPHRASE|CREDENTIAL|CREDENTIALS|PAT)[0-9]*"
    r"(?:_(?:ID|JSON|BASE|BASE64|B64|PEM|FILE|PROD|PRODUCTION|DEV|STAGING|TEST|LIVE|[0-9]+|"
    r"[A-Z]+_URI))?"
    r"|\w+_(?:PWD|AUTH|DSN)|DOCKER_AUTH_CONFIG",
    re.IGNORECASE,
)
_WORD: Final = r"(?<![A-Za-z0-9_-])"
"""A key begins where a word does: nothing is tried from the middle of one."""
_SHAPES: Final = re.compile(
    rf"{_WORD}(?:"
    r"(?P<start>sk-(?:ant|proj|svcacct|admin)-|github_pat_|glpat-|pypi-|xox[abeprs]-|xapp-|ya29\.)"
    r"[A-Za-z0-9_-]{20,}"
    r"|(?P<short>sk-|gh[pousr]_|npm_|hf_|[sr]k_live_)[A-Za-z0-9_]{30,}"
    r"|(?P<google>AIza)[A-Za-z0-9_-]{30,}"
    r"|(?P<aws>AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|(?P<jwt>eyJ)[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,}"
    r")"
    r"|(?P<pem>-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----)"
    r"(?:[^-]|-(?!----)){1,20000}(?:-----END [A-Z ]{1,80}-----)?"
)
_LONGEST_KEY: Final = 20_000
"""Characters of a private key."""
_KIND: Final = 8
"""Characters of the beginning that stay, to tell what it was."""


def names_secret(name: str) -> bool:
    """Whether a variable of this name surely holds a secret: `GITHUB_TOKEN`, `PGPASSWORD`."""
    return _NAMES.fullmatch(name) is not None


def masked(text: str) -> tuple[str, int]:
    """The text without the keys in it whose shape is known, and how many there were."""
    return _SHAPES.subn(_mask, text)


def unfinished_key(text: str) -> int:
    """Where a private key begins whose end is still to come; the text's length where none does."""
    begin = text.rfind("-----BEGIN ")
    if begin < 0 or len(text) - begin > _LONGEST_KEY or text.find("-----END ", begin) >= 0:
        return len(text)
    return begin


def _mask(found: re.Match[str]) -> str:
    if found["pem"]:
        return "[private key masked]"
    kind = found[found.lastgroup or 0][:_KIND]
    return f"[{kind}... masked]"
