"""The tool that finds lines by a regular expression."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import regex

from octochat.context.codec.bounds import seconds
from octochat.context.session.events import ToolDefinition
from octochat.context.session.tool_marks import numbered
from octochat.text.figures import count as many
from octochat.text.harmless import visible
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.file_search import FileSearch, definition
from octochat.tools.paths import missing, permitted
from octochat.tools.textfile import BinaryError, lines
from octochat.tools.walk import FileWalk

_LINE_CHARS = 500
"""Longer lines are cut around their match."""
_COUNTED = 10
"""Times as many matches as are shown are counted."""

_DEFINITION = definition(
    "grep",
    (
        "Search the lines of text files for a regular expression. You get the path of each file, "
        "then its hits with line numbers. Binary files, .git and what .gitignore excludes are "
        "left out, unless path lies in it."
    ),
    pattern="A regular expression (Python's), matched within each line.",
    path="The file or folder to search; the working folder if left out.",
)


@dataclass(frozen=True, slots=True)
class Grep(FileSearch):
    """Finds lines by a regular expression."""

    name: ClassVar[str] = _DEFINITION.name
    definition: ClassVar[ToolDefinition] = _DEFINITION

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; hits come all at once
        """The hits."""
        root = permitted(access)
        if not root.exists():
            raise missing(access.target, root)
        try:
            pattern = regex.compile(given.text(arguments, "pattern"))
        except regex.error as error:
            raise ToolError(f"the pattern is not valid: {error}") from error
        walk = FileWalk(self.limits, self.readable)

        return await walk.answer(lambda: self._found(walk, root, pattern), self.spill, self.name)

    def _found(self, walk: FileWalk, root: Path, pattern: regex.Pattern[str]) -> str:
        """The hits of each file under its path, and at last how many there are."""
        most, matches, files = self.limits.matches, 0, 0
        lines: list[str] = []
        for path in walk.files(root):
            if matches > most * _COUNTED:
                walk.cut = "and more that were not counted"
                break
            room = max(most - matches, 0)
            rows = deque[str]()
            count = 0
            for count, row in enumerate(self._hits(walk, path, pattern), 1):
                if count <= room:
                    rows.append(row)
            if rows:
                lines += (f"{self.roots.shown(path)}{f' ({count:,})' * (count > 1)}", *rows)
            matches, files = matches + count, files + bool(count)
        total = _total(matches, files, most)
        return "\n".join((*lines, f"[{'; '.join((total, *walk.remarks))}]"))

    def _hits(self, walk: FileWalk, path: Path, pattern: regex.Pattern[str]) -> Iterator[str]:
        """The lines with a hit, each with its number."""
        shown = self.roots.shown(path)
        number = 0
        try:
            for number, line in enumerate(lines(path, shown, 100_000), 1):
                if number % 1_000 == 0 and walk.over():
                    return
                text = line.removesuffix("\n")
                found = pattern.search(text, timeout=seconds(self.limits.search_timeout) / 10)
                if found:
                    start = max(0, min(found.start() - _LINE_CHARS // 4, len(text) - _LINE_CHARS))
                    yield numbered(number, visible(text[start : start + _LINE_CHARS]))
        except BinaryError:
            walk.left_out["binary"] += 1
        except ToolError:
            walk.left_out["not readable"] += 1
        except TimeoutError as error:
            raise ToolError(
                f"the pattern takes too long on line {number} of {shown}: "
                "it backtracks; write it without nested repetitions"
            ) from error


def _total(matches: int, files: int, most: int) -> str:
    if not matches:
        return "no matches"
    found = "1 match" if matches == 1 else f"{matches:,} matches"
    total = f"{found} in {many(files, 'file')}"
    if matches <= most:
        return total
    return f"{total}, the first {most:,} of them here: make the pattern narrower"
