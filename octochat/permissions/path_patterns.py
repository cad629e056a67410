"""Which paths a path pattern covers. It knows no rules and no tools."""

import glob
import os
import re
from pathlib import Path

from octochat.tools import globs


def covers_path(pattern: str, path: Path, folder: Path, *, folds: bool) -> bool:
    """Whether a pattern covers a canonical path; relative patterns start at the folder.

    With `folds` letters are compared without their case, as some file systems do.
    """
    if pattern.startswith("~/"):
        pattern = f"{glob.escape(str(Path.home()))}{pattern[1:]}"
    if pattern.startswith("/"):
        return any(
            _matches(one, path.as_posix(), folds=folds) for one in (pattern, _resolved(pattern))
        )
    inside = path.is_relative_to(folder)
    shown = path.relative_to(folder).as_posix() if inside else ""
    return inside and _matches(pattern.removeprefix("./"), shown, folds=folds)


def absolute(pattern: str, folder: Path) -> str:
    """A relative pattern as one that starts at the root."""
    return f"{glob.escape(str(folder))}/{pattern.removeprefix('./')}"


def folds_case(folder: Path) -> bool:
    """Whether the file system of a folder takes `A` and `a` for the same name."""
    other = folder.parent / folder.name.swapcase()
    try:
        return other != folder and other.samefile(folder)
    except OSError:
        return False


def _matches(pattern: str, path: str, *, folds: bool) -> bool:
    if folds:
        pattern, path = pattern.casefold(), path.casefold()
    return globs.compiled(pattern).fullmatch(path) is not None


def _resolved(pattern: str) -> str:
    """The pattern with the links in the folders that it names followed, as in canonical paths."""
    fixed = re.split(r"[*?{]|\[(?!.\])", pattern)[0].rpartition("/")[0]
    plain = re.sub(r"\[(.)\]", r"\1", fixed)
    return glob.escape(os.path.realpath(plain or "/")).rstrip("/") + pattern[len(fixed) :]
