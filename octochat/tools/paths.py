"""Where a path really leads, and whether that is in the working folder."""

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from octochat.text.harmless import one_line
from octochat.tools.base import Access, ToolError
from octochat.tools.failures import reason

FILE_PATH: Final = {
    "type": "string",
    "description": "Path of the file, relative to the working folder or absolute.",
}
"""The argument that names a file, for the model."""


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that tools move in, canonical."""

    folder: Path
    """The working folder: relative paths start here."""
    spill: Path
    """The session's folder of long results, readable like the working folder."""

    def canonical(self, text: str) -> Path:
        """Where the path leads, every link followed, also a last one that leads nowhere.

        Raises:
            ToolError: it is empty, holds what no path can, or its links go in a circle.
        """
        if not text.strip():
            raise ToolError("the path is empty")
        try:
            path = Path(os.path.realpath(self.folder / Path(text).expanduser()))
            leads_nowhere = path.is_symlink()
        except OSError as error:
            raise ToolError(f"{one_line(text)}: {reason(error)}") from error
        except (RuntimeError, ValueError) as error:
            raise ToolError(f"{one_line(text)}: {error}") from error
        if leads_nowhere:
            raise ToolError(f"{one_line(text)}: its symbolic links go in a circle")
        return path

    def shown(self, path: Path) -> str:
        """The path as people and models see it: relative where it is in the working folder."""
        inside = path.is_relative_to(self.folder)
        return one_line(str(path.relative_to(self.folder) if inside else path))

    def reading(self, text: str) -> Access:
        """What reading this path would touch.

        Raises:
            ToolError: as `canonical`.
        """
        path = self.canonical(text)
        inside = path.is_relative_to(self.folder) or path.is_relative_to(self.spill)
        return Access(kind="read", target=self.shown(path), inside=inside, path=path)

    def writing(self, text: str) -> Access:
        """What writing this path would touch.

        Raises:
            ToolError: as `canonical`.
        """
        path = self.canonical(text)
        inside = path.is_relative_to(self.folder)
        return Access(kind="write", target=self.shown(path), inside=inside, path=path)


def permitted(access: Access) -> Path:
    """The path that permission was given for.

    Raises:
        ToolError: it has since become a link to somewhere else.
    """
    assert access.path is not None
    if Path(os.path.realpath(access.path)) != access.path:
        raise ToolError(f"{access.target} became a symbolic link in the meantime: nothing was done")
    return access.path


def missing(shown: str, path: Path) -> ToolError:
    """That there is no such file, and which one may be meant."""
    folder = path.parent
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    try:
        names = [found.name for found in folder.iterdir()]
    except OSError:
        names = []
    wanted = path.relative_to(folder).parts[0]
    lower = {name.lower(): name for name in sorted(names)}
    near = difflib.get_close_matches(wanted.lower(), lower, n=3, cutoff=0.6)
    hint = f"; near it: {', '.join(one_line(lower[name]) for name in near)}" if near else ""
    return ToolError(f"{shown}: no such file{hint}")
