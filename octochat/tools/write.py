"""The tool that writes a file whole."""

import asyncio
from dataclasses import dataclass
from typing import ClassVar, Self

from octochat.context.session.content import Text
from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress
from octochat.tools.change import (
    NEW_FILE,
    Change,
    diff_to_keep,
    overwriting,
    path_of,
    previewed,
    saved,
)
from octochat.tools.facts import UNCHANGED
from octochat.tools.limits import Limits
from octochat.tools.paths import FILE_PATH, Roots, permitted
from octochat.tools.seen import Seen
from octochat.tools.tool_context import ToolContext

_SPEC = ToolDefinition(
    name="write",
    description=(
        "Write a whole file; what was in it is replaced, missing folders are made. An existing "
        "file keeps its encoding, line ends and mode. To change a part of a file use edit."
    ),
    schema=given.schema(
        ["file_path", "content"],
        file_path=FILE_PATH,
        content={"type": "string", "description": "The whole new content of the file."},
    ),
)


@dataclass(frozen=True, slots=True)
class Write:
    """Writes one file."""

    name: ClassVar[str] = _SPEC.name

    roots: Roots
    limits: Limits
    seen: Seen

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.roots, place.limits, place.seen)

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _SPEC

    def access(self, arguments: Arguments) -> Access:
        """The file that would be written."""
        given.known(arguments, ("file_path", "content"))
        given.text(arguments, "content")
        return self.roots.writing(given.text(arguments, "file_path"))

    async def foreseen(self, arguments: Arguments, access: Access) -> Access:
        """What would change in it."""
        return await previewed(access, lambda: self._change(arguments, access))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; a write is over at once
        """Write it."""
        path = permitted(access)
        change = await asyncio.to_thread(self._change, arguments, access)
        diff = await asyncio.to_thread(diff_to_keep, change, access.target)
        saved(path, change, access.target, self.seen)
        lines = len(change.after.splitlines())
        said = f"wrote {access.target} ({lines:,} line{'s'[: lines != 1]})"
        note = NEW_FILE if change.new else UNCHANGED if change.before == change.after else ""
        return Output((Text(said),), note=note, diff=diff)

    async def close(self) -> None:
        """Nothing is held."""

    def _change(self, arguments: Arguments, access: Access) -> Change:
        content = given.text(arguments, "content")
        most = self.limits.file_bytes
        return overwriting(path_of(access), access.target, content, most, self.seen)
