"""The tool that finds lines by a regular expression."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, Self

import regex

from octochat.context.codec.bounds import seconds
from octochat.context.session.events import ToolDefinition
from octochat.text.harmless import visible
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.facts import ToolFacts
from octochat.tools.limits import Limits, Spill
from octochat.tools.paths import Roots, missing, permitted
from octochat.tools.textfile import lines
from octochat.tools.tool_context import ToolContext
from octochat.tools.walk import FileWalk

_LINE_CHARS = 500
"""Longer lines are cut around their match."""

_SPEC = ToolDefinition(
    name="grep",
    description=(
        "Search the lines of text files for a regular expression. Each hit is path:line:text. "
        "Binary files, .git and what .gitignore excludes are left out, unless path lies in it. "
        "Use it rather than the command grep."
    ),
    schema=given.schema(
        ["pattern"],
        pattern={
            "type": "string",
            "description": "A regular expression (Python's), matched within each line.",
        },
        path={
            "type": "string",
            "description": "The file or folder to search; the working folder if left out.",
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Grep:
    """Finds lines by a regular expression."""

    name: ClassVar[str] = _SPEC.name
    facts: ClassVar[ToolFacts] = ToolFacts(("pattern",), place="path")

    roots: Roots
    spill: Spill
    limits: Limits
    readable: Callable[[Path], bool]
    """Whether the permission rules let this file be searched."""

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.roots, place.spill, place.limits, partial(place.readable, cls.name))

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _SPEC

    def access(self, arguments: Arguments) -> Access:
        """The file or folder that would be searched."""
        given.known(arguments, ("pattern", "path"))
        given.text(arguments, "pattern")
        return self.roots.reading(given.optional_text(arguments, "path") or ".")

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; hits come all at once
        """The hits."""
        root = permitted(access)
        if not root.exists():
            raise missing(access.target, root)
        try:
            pattern = regex.compile(given.text(arguments, "pattern"))
        except regex.error as error:
            raise ToolError(f"the pattern makes no sense: {error}") from error
        walk = FileWalk(self.limits, self.readable)

        def hits() -> Iterator[str]:
            for path in walk.files(root):
                yield from self._hits(walk, path, pattern)

        return await walk.answer(hits(), self.spill, self.name)

    async def close(self) -> None:
        """Nothing is held."""

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
