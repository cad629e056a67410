"""The tool that finds files by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import ClassVar, Self

from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools import globs
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.facts import ToolFacts
from octochat.tools.limits import Limits, Spill
from octochat.tools.paths import Roots, permitted
from octochat.tools.tool_context import ToolContext
from octochat.tools.walk import FileWalk

_SPEC = ToolDefinition(
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


@dataclass(frozen=True, slots=True)
class Glob:
    """Finds files by name."""

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

        return await walk.answer(hits(), self.spill, self.name)

    async def close(self) -> None:
        """Nothing is held."""
