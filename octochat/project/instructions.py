"""Files with instructions: the person's own, and those of the project's folders.

Knows the disk, not what the model was told. The rules are in docs/instructions.md#instructions.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from octochat.context.session.tags import escaped
from octochat.project.imports import LARGEST, Importer
from octochat.project.root import down_to
from octochat.project.text_file import UnusableFileError, read_text_file
from octochat.text.harmless import one_line

NAMES = ("AGENTS.override.md", "AGENTS.md", "CLAUDE.md")
"""In each folder the first that exists counts."""


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """The instructions of one folder."""

    file: str
    """As the model is told it: relative to the working folder; the person's own from `~`."""
    text: str
    """With its imports, at most as long as allowed; it can't pose as octochat's own words."""
    troubles: tuple[str, ...] = ()
    """What a person should know of it, a line each."""
    mine: bool = False
    """The person's own, not the project's."""


@dataclass(frozen=True, slots=True)
class InstructionFiles:
    """Where instructions may stand, seen from one working folder."""

    folder: Path
    """The canonical working folder."""
    root: Path
    """Of the repository: nothing is taken from outside of it."""
    own: Path
    """octochat's folder in the person's configuration."""
    most: int
    """Characters of one file with its imports."""
    readable: Callable[[Path], bool]
    """Whether the permission rules let a file be read without asking."""

    def at_start(self) -> tuple[InstructionFile, ...]:
        """The person's own, then from the repository's root down to the working folder."""
        found = (self.mine(), *map(self.of, down_to(self.folder, self.root)))
        return tuple(file for file in found if file)

    def mine(self) -> InstructionFile | None:
        """The person's own instructions; their file may be a link to anywhere."""
        path = counting(self.own)
        if path is None:
            return None
        shown = str(path)
        home = str(Path.home())
        if shown.startswith(f"{home}/"):
            shown = f"~{shown.removeprefix(home)}"
        real = Path(os.path.realpath(path))
        return self._read(real, real.parent, shown, mine=True)

    def of(self, place: Path) -> InstructionFile | None:
        """The instructions that stand in a folder of the project."""
        path = counting(place)
        if path is None:
            return None
        shown = os.path.relpath(path, self.folder)
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self.root):
            return InstructionFile(shown, "", (f"{one_line(shown)}: it is a link to outside",))
        return self._read(real, self.root, shown)

    def below(self, place: Path) -> Iterator[Path]:
        """The folders whose instructions matter in `place`, beyond those of the start."""
        start = down_to(self.folder, self.root)
        yield from (each for each in down_to(place, self.root) if each not in start)

    def _read(
        self, path: Path, root: Path, shown: str, *, mine: bool = False
    ) -> InstructionFile | None:
        name = one_line(shown)
        if not self.readable(path):
            why = "the permission rules keep it from being read"
            return InstructionFile(shown, "", (f"{name}: {why}",), mine)
        try:
            said = read_text_file(path, LARGEST).text
        except FileNotFoundError:
            return None
        except UnusableFileError as error:
            return InstructionFile(shown, "", (f"{name} was not taken: {error}",), mine)
        importer = Importer(root, self.readable)
        whole = escaped(importer.with_imports(said, path))
        text = _fitted(whole, self.most, shown)
        troubles = [f"{name}: {trouble}" for trouble in importer.troubles]
        if text != whole:
            troubles.append(f"{name}: {_cut(len(whole), self.most)} ([instructions] max_chars)")
        return InstructionFile(shown, text, tuple(troubles), mine)


def counting(place: Path) -> Path | None:
    """The file with instructions that counts in a folder."""
    return next((path for name in NAMES if (path := place / name).exists()), None)


def _fitted(text: str, most: int, shown: str) -> str:
    """The text, or its beginning, with a word on where it was cut."""
    if len(text) <= most:
        return text
    kept = text[:most]
    kept = kept[: kept.rfind("\n") + 1] or kept
    return f"{kept.rstrip()}\n\n[{_cut(len(text), most)}; read {escaped(shown)} for the rest]"


def _cut(length: int, most: int) -> str:
    return f"cut after {most:,} of {length:,} characters"
