"""The tool that finds files by name."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import ClassVar

from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools import globs
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.file_search import FileSearch, definition
from octochat.tools.paths import permitted
from octochat.tools.walk import FileWalk

_DEFINITION = definition(
    "glob",
    (
        "List the files whose path matches a pattern, sorted. What .gitignore excludes and .git "
        "itself are left out, unless path lies in it."
    ),
    pattern=(
        "A pattern relative to path: * and ? within a name, ** across folders, "
        "{a,b} for one of several. For example **/*.py or src/**/test_*.{ts,tsx}."
    ),
    path="The folder to search; the working folder if left out.",
)


@dataclass(frozen=True, slots=True)
class Glob(FileSearch):
    """Finds files by name."""

    name: ClassVar[str] = _DEFINITION.name
    definition: ClassVar[ToolDefinition] = _DEFINITION

    def access(self, arguments: Arguments) -> Access:
        """The folder that would be searched."""
        access = FileSearch.access(self, arguments)
        pattern = PurePosixPath(given.text(arguments, "pattern"))
        if pattern.is_absolute() or ".." in pattern.parts:
            raise ToolError("pattern must be relative and without '..': say where with path")
        return access

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; paths come all at once
        """The paths."""
        folder = permitted(access)
        if not folder.is_dir():
            raise ToolError(f"{access.target} is not a folder")
        try:
            pattern = globs.compiled(given.text(arguments, "pattern").removeprefix("./"))
        except ValueError as error:
            raise ToolError(str(error)) from error
        walk = FileWalk(self.limits, self.readable)

        def hits() -> Iterator[str]:
            for path in walk.files(folder):
                if pattern.fullmatch(path.relative_to(folder).as_posix()):
                    yield self.roots.shown(path)

        return await walk.answer(lambda: _listed(hits(), walk), self.spill, self.name)


def _listed(hits: Iterator[str], walk: FileWalk) -> str:
    most = walk.limits.matches
    found = list(islice(hits, most + 1))
    if len(found) > most:
        walk.cut = f"more than {most:,} matches: make the pattern narrower"
    if not found:
        return f"[{'; '.join(('no matches', *walk.remarks))}]"
    note = [f"[{walk.cut}]"] if walk.cut else []
    return "\n".join((*found[:most], *note))
