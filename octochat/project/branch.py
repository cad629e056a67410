"""Which branch of git is checked out, read from git's own files. No program is started."""

from pathlib import Path

from octochat.project.root import root_of

HASH = 7
"""Characters of a commit that is named where no branch is checked out."""


def branch_of(folder: Path) -> str:
    """The branch in `folder`, the beginning of a commit's name, or nothing outside of git."""
    place = root_of(folder) / ".git"
    try:
        if place.is_file():  # a worktree: the file says where its own folder is
            place = place.parent / place.read_text("utf-8").strip().removeprefix("gitdir: ")
        head = (place / "HEAD").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    name = head.removeprefix("ref: refs/heads/")
    return name if name != head else head[:HASH]
