"""The tools that find files by name and lines by a regular expression."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

import regex

from octochat.context.codec.bounds import seconds
from octochat.context.session.content import Text
from octochat.context.session.events import ToolDefinition
from octochat.text.harmless import visible
from octochat.tools import arguments as given
from octochat.tools import globs
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.limits import Limits, Spill
from octochat.tools.paths import Roots, missing, permitted
from octochat.tools.textfile import lines
from octochat.tools.walk import FileWalk

_LINE_CHARS = 500
"""Longer lines are cut around their match."""

_GLOB = ToolDefinition(
    name="glob",
    description=(
        "List the files whose path matches a pattern, sorted. What .gitignore excludes and .git "
        "itself are left out, unless path lies in it. Use it rather than ls or find."
    ),
    schema=given.schema(
        ["pattern"],
        pattern={
            "type": "string",
            "description": (
                "A pattern relative to path: * and ? within a name, ** across folders, "
                "{a,b} for one of several. For example **/*.py or src/**/test_*.{ts,tsx}."
            ),
        },
        path={
            "type": "string",
            "description": "The folder to search; the working folder if left out.",
        },
    ),
)
_GREP = ToolDefinition(
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
class Glob:
    """Finds files by name."""

    roots: Roots
    spill: Spill
    limits: Limits
    readable: Callable[[Path], bool]
    """Whether the permission rules let this file be read."""

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _GLOB

    def access(self, arguments: Arguments) -> Access:
        """The folder that would be searched."""
        given.known(arguments, ("pattern", "path"))
        pattern = PurePosixPath(given.text(arguments, "pattern"))
        if pattern.is_absolute() or ".." in pattern.parts:
            raise ToolError("pattern must be relative and without '..': say where with path")
        return self.roots.reading(given.optional_text(arguments, "path") or ".")

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; paths come all at once
        """The paths."""
        folder = permitted(access)
        if not folder.is_dir():
            raise ToolError(f"{access.target} is no folder")
        try:
            pattern = globs.compiled(given.text(arguments, "pattern").removeprefix("./"))
        except ValueError as error:
            raise ToolError(str(error)) from error
        walk = FileWalk(self.limits, self.readable)

        def hits() -> Iterator[str]:
            for path in walk.files(folder):
                if pattern.fullmatch(path.relative_to(folder).as_posix()):
                    yield self.roots.shown(path)

        return await _answer(walk, hits(), self.spill, "glob")

    async def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True, slots=True)
class Grep:
    """Finds lines by a regular expression."""

    roots: Roots
    spill: Spill
    limits: Limits
    readable: Callable[[Path], bool]
    """Whether the permission rules let this file be read."""

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _GREP

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

        return await _answer(walk, hits(), self.spill, "grep")

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


async def _answer(walk: FileWalk, hits: Iterator[str], spill: Spill, name: str) -> Output:
    """Search in a thread, so that nothing else stands still; an interrupt ends it."""

    def searched() -> str:
        found = list(islice(hits, walk.limits.matches + 1))
        if len(found) > walk.limits.matches:
            walk.cut = f"more than {walk.limits.matches:,} matches: make the pattern narrower"
        note = [f"[{walk.cut}]"] if walk.cut else []
        return spill.shortened("\n".join((*found[: walk.limits.matches], *note)), name, walk.limits)

    try:
        return Output((Text(await asyncio.to_thread(searched) or "[no matches]"),))
    finally:
        walk.stop.set()
