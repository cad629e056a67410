"""Which branch of git is checked out, read from git's own files. No program is started."""

from pathlib import Path

from octochat.project.root import root_of
from octochat.project.text_file import UnusableFileError, read_text_file

LARGEST = 10_000
"""Bytes of one of git's own files that is read."""
HASH = 7
"""Characters of a commit that is named where no branch is checked out."""


def branch_of(folder: Path) -> str:
    """The branch in `folder`, the beginning of a commit's name, or nothing outside of git."""
    place = root_of(folder) / ".git"
    try:
        if place.is_file():  # a worktree: the file says where its own folder is
            said = read_text_file(place, LARGEST).text
            place = place.parent / said.strip().removeprefix("gitdir: ")
        head = read_text_file(place / "HEAD", LARGEST).text.strip()
    except (OSError, UnusableFileError, ValueError):
        return ""
    name = head.removeprefix("ref: refs/heads/")
    return name if name != head else head[:HASH]
