"""The tool that finds lines by a regular expression."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import regex

from octochat.context.codec.bounds import seconds
from octochat.context.session.events import ToolDefinition
from octochat.text.harmless import visible
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.file_search import FileSearch, definition
from octochat.tools.paths import missing, permitted
from octochat.tools.textfile import lines
from octochat.tools.walk import FileWalk

_LINE_CHARS = 500
"""Longer lines are cut around their match."""

_DEFINITION = definition(
    "grep",
    (
        "Search the lines of text files for a regular expression. Each hit is path:line:text. "
        "Binary files, .git and what .gitignore excludes are left out, unless path lies in it. "
        "Use it rather than the command grep."
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

        def hits() -> Iterator[str]:
            for path in walk.files(root):
                yield from self._hits(walk, path, pattern)

        return await walk.answer(hits(), self.spill, self.name)

    def _hits(self, walk: FileWalk, path: Path, pattern: regex.Pattern[str]) -> Iterator[str]:
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
                    yield f"{shown}:{number}:{visible(text[start : start + _LINE_CHARS])}"
        except ToolError:
            return  # binary or unreadable: grep is about the others
        except TimeoutError as error:
            raise ToolError(
                f"the pattern takes too long on line {number} of {shown}: "
                "it backtracks; write it without nested repetitions"
            ) from error
