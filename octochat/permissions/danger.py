"""What in a call deserves a second look: words for the person, nothing is decided here.

It goes by how a command line looks and may miss some: a line without a mark is not harmless.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from octochat.permissions.secret_files import holds_secrets
from octochat.tools.base import Access

_OUTSIDE = "writes outside the working folder"
_SHELL = r"(?:sudo\s+)?(?:\S*/)?(?:(?:ba|z|da|k)?sh|python|perl|ruby|node)"
_ELSEWHERE = r"[\"']?(?:~|\$HOME|\.\./|/(?!dev/(?:null|stdout|stderr|tty)\b|tmp/))"
_SIGNS: Mapping[str, tuple[str, ...]] = {
    "deletes folders with all that is in them": (r"<rm\s@(?:-\w*[rR]|--recursive)",),
    "deletes every file that it finds": (r"<find\s@\s-delete\b",),
    "rewrites what was pushed": (r"<git\s@push\s@(?:(?<=\s)-\w*f|--force|--mirror|(?<=\s)\+\w)",),
    "throws uncommitted changes away": (
        r"<git\s@reset\s@--hard",
        r"<git\s@checkout\s@(?:--\s|\.(?:\s|$))",
        r"<git\s@restore\s",
    ),
    "deletes files that git does not know": (r"<git\s@clean\s@-\w*f",),
    "deletes work that git keeps": (r"<git\s@branch\s@-D", r"<git\s@stash\s+(?:drop|clear)"),
    "runs what it downloads": (
        rf"<(?:curl|wget)\s.*\|\s*{_SHELL}\b",
        rf"<{_SHELL}\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*(?:curl|wget)\b",
    ),
    "runs as another user, with all rights": (r"<(?:sudo|doas)\s",),
    "overwrites a disk or a file": (r"<(?:mkfs\S*|shred|wipefs)\s", r"<dd\s@\bof="),
    "lets everybody write": (r"<chmod\s@(?:777|a\+\w*w|o\+\w*w)",),
    _OUTSIDE: (rf">{{1,2}}\s*{_ELSEWHERE}", rf"<tee\s@{_ELSEWHERE}"),
}
"""What it is called, and how it looks: `<` begins a command's name, `@` is any of its arguments."""

_COMPILED = tuple(
    (
        words,
        re.compile(sign.replace("<", r"(?:^|[\s;&|(`'\"/])", 1).replace("@", r"[^;&|\n]*?"))
        if sign.startswith("<")
        else re.compile(sign),
    )
    for words, signs in _SIGNS.items()
    for sign in signs
)
_MOST_CHARS = 10_000
"""Of a longer line only the beginning is looked at."""


def dangers(access: Access, scratch: Path | None = None) -> tuple[str, ...]:
    """What a person should know before they say yes, a few words each; `scratch` is octochat's."""
    return tuple(dict.fromkeys(_dangers(access, scratch)))


def _dangers(access: Access, scratch: Path | None) -> Iterator[str]:
    if access.kind == "write" and not access.inside:
        yield _OUTSIDE
    if access.kind == "read" and access.path is not None and holds_secrets(access.path):
        yield "reads a file that may hold secrets, and shows it to the model"
    if access.outside:
        yield f"runs outside the sandbox: {access.outside.rstrip('.')}"
    if access.kind == "run":
        line = access.target[:_MOST_CHARS].replace("\\\n", " ")
        line = line.replace(f"{scratch}/", "scratch/") if scratch else line
        yield from (words for words, sign in _COMPILED if sign.search(line))
