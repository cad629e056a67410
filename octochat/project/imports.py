"""`@path` in a file with instructions: the files that it brings along, and why not all of them.

Only files inside one folder count, links followed. The rules are in
docs/instructions.md#imports.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from markdown_it import MarkdownIt

from octochat.project.text_file import UnusableFileError, read_text_file
from octochat.text.harmless import one_line

DEEPEST = 4
"""Imports within imports."""
LARGEST = 1024 * 1024
"""Bytes of a file that is taken."""
_MENTION = re.compile(r"(?:^|(?<=[\s(]))@([^\s@`]+)")
_ENDS = ".,;:!?)]}'\""


@dataclass(slots=True)
class Importer:
    """Brings along what one file imports, each file once."""

    root: Path
    """The canonical folder that nothing is taken from outside of."""
    readable: Callable[[Path], bool]
    """Whether the permission rules let a file be read without asking."""
    troubles: list[str] = field(default_factory=list[str])
    """What was not imported, and why; a line each."""
    _taken: set[Path] = field(default_factory=set[Path])

    def with_imports(self, text: str, file: Path, depth: int = 0) -> str:
        """The text of `file`, and behind it the texts of what it imports."""
        self._taken.add(file)
        return "\n\n".join((text.strip(), *self._imports(text, file, depth)))

    def _imports(self, text: str, file: Path, depth: int) -> Iterator[str]:
        for name in mentions(text):
            path = self._meant(name, file.parent)
            if path is None or path in self._taken:
                continue
            if depth == DEEPEST:
                self._refuse(name, f"imports go {DEEPEST} deep at most")
                continue
            try:
                found = read_text_file(path, LARGEST)
            except (UnusableFileError, FileNotFoundError) as error:
                self._refuse(name, str(error) or "it is gone")
                continue
            shown = one_line(name)
            inner = self.with_imports(found.text, path, depth + 1)
            yield f"[@{shown}, as imported above:]\n\n{inner}\n\n[end of @{shown}]"

    def _meant(self, name: str, folder: Path) -> Path | None:
        """The file that a mention means, if it means one and that may be taken."""
        try:
            path = Path(os.path.realpath(folder / Path(name).expanduser()))
            if not path.exists() or path.is_dir():
                return None  # a person's handle, a package, a decorator
        except (OSError, RuntimeError, ValueError):
            return None
        if not path.is_relative_to(self.root):
            self._refuse(name, "it lies outside")
        elif not self.readable(path):
            self._refuse(name, "the permission rules keep it from being read")
        else:
            return path
        return None

    def _refuse(self, name: str, why: str) -> None:
        self.troubles.append(f"@{one_line(name)} was not imported: {why}")


@lru_cache(maxsize=64)
def mentions(text: str) -> tuple[str, ...]:
    """The paths that stand behind an `@` in Markdown, code spans and code blocks left out."""
    if "@" not in text:
        return ()
    found: dict[str, None] = {}
    for token in MarkdownIt("commonmark").parse(text):
        for child in token.children or ():
            if child.type == "text":
                names = (name.rstrip(_ENDS) for name in _MENTION.findall(child.content))
                found |= dict.fromkeys(name for name in names if name)
    return tuple(found)
