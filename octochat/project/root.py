"""Where the project begins: the root of the repository, and the folders from there on down."""

import os
from pathlib import Path


def root_of(folder: Path) -> Path:
    """The root of the repository that the canonical `folder` lies in; itself where there is none.

    A repository that belongs to somebody else counts for none, as for git: in a shared folder such
    as /tmp anybody could put one around yours.
    """
    try:
        owners = {os.getuid(), folder.stat().st_uid}
    except OSError:
        return folder
    for place in (folder, *folder.parents):
        try:
            mark = (place / ".git").lstat()
        except OSError:
            continue
        return place if mark.st_uid in owners else folder
    return folder


def down_to(folder: Path, root: Path) -> tuple[Path, ...]:
    """The folders from `root` to `folder`, both included; none where it lies elsewhere."""
    if not folder.is_relative_to(root):
        return ()
    between = [place for place in folder.parents if place.is_relative_to(root)]
    return (*reversed(between), folder)
