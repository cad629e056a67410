"""What git ignores: the .gitignore files from the outer folders to the inner ones."""

from pathlib import Path
from typing import TypeAlias

from pathspec import GitIgnoreSpec

from octochat.project.root import down_to
from octochat.project.text_file import UnusableFileError, read_text_file

NEVER = frozenset({".git", ".hg", ".svn"})
"""Folders of version control: nobody means them."""

LARGEST = 1024 * 1024
"""Bytes of a .gitignore that is read."""

IgnoreFile: TypeAlias = tuple[Path, GitIgnoreSpec]
"""The folder of a .gitignore, and what stands in it."""


def ignore_file(folder: Path) -> tuple[IgnoreFile, ...]:
    """The .gitignore of a folder, if it has one that can be read."""
    try:
        text = read_text_file(folder / ".gitignore", LARGEST).text
        return ((folder, GitIgnoreSpec.from_lines(text.splitlines())),)
    except (OSError, UnusableFileError, ValueError):
        return ()


def is_ignored(path: Path, files: tuple[IgnoreFile, ...], *, folder: bool) -> bool:
    """What the innermost file that has an opinion says, as in git; `folder`: the path is one."""
    if path.name in NEVER:
        return True
    for place, spec in reversed(files):
        opinion = spec.check_file(path.relative_to(place).as_posix() + "/" * folder).include
        if opinion is not None:
            return opinion
    return False


def lies_in_ignored(folder: Path, root: Path) -> bool:
    """Whether a folder below `root`, or one around it, is ignored."""
    files: tuple[IgnoreFile, ...] = ()
    for place in down_to(folder, root):
        if place != root and is_ignored(place, files, folder=True):
            return True
        files = (*files, *ignore_file(place))
    return False
