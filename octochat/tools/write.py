"""The tools that change a file: one writes it whole, one replaces a piece of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from octochat.context.session.content import Text
from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.change import Change, overwriting, replacing
from octochat.tools.limits import Limits
from octochat.tools.paths import Roots, permitted
from octochat.tools.textfile import save

_MOST_DIFF = 100_000
"""Characters: a longer diff is not kept; the call's arguments tell what was written."""
_PATH = {
    "type": "string",
    "description": "Path of the file, relative to the working folder or absolute.",
}
_WRITE = ToolDefinition(
    name="write",
    description=(
        "Write a whole file; what was in it is replaced, missing folders are made. An existing "
        "file keeps its encoding, line ends and mode. To change a part of a file use edit."
    ),
    schema=given.schema(
        ["file_path", "content"],
        file_path=_PATH,
        content={"type": "string", "description": "The whole new content of the file."},
    ),
)
_EDIT = ToolDefinition(
    name="edit",
    description=(
        "Replace a text in a file by another one. old_string must be in the file exactly as "
        "given, white space included, and only once unless replace_all is set: give enough of "
        "what stands around it. The file keeps its encoding, line ends and mode."
    ),
    schema=given.schema(
        ["file_path", "old_string", "new_string"],
        file_path=_PATH,
        old_string={"type": "string", "description": "The text to replace."},
        new_string={"type": "string", "description": "The text that takes its place."},
        replace_all={
            "type": "boolean",
            "description": "Replace it wherever it stands, not in one place only.",
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Write:
    """Writes one file."""

    roots: Roots
    limits: Limits

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _WRITE

    def access(self, arguments: Arguments) -> Access:
        """The file that would be written, and what would change."""
        given.known(arguments, ("file_path", "content"))
        given.text(arguments, "content")
        access = self.roots.writing(given.text(arguments, "file_path"))
        return _previewed(access, lambda: self._change(arguments, access))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; a write is over at once
        """Write it."""
        path = permitted(access)
        change = await asyncio.to_thread(self._change, arguments, access)
        diff = await asyncio.to_thread(_kept, change, access.target)
        _save(path, change, access.target)
        lines = len(change.after.splitlines())
        said = f"wrote {access.target} ({lines:,} line{'s'[: lines != 1]})"
        return Output((Text(said),), diff=diff)

    async def close(self) -> None:
        """Nothing is held."""

    def _change(self, arguments: Arguments, access: Access) -> Change:
        content = given.text(arguments, "content")
        return overwriting(_path(access), access.target, content, self.limits.file_bytes)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces a piece of one file."""

    roots: Roots
    limits: Limits

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _EDIT

    def access(self, arguments: Arguments) -> Access:
        """The file that would be changed, and how."""
        given.known(arguments, ("file_path", "old_string", "new_string", "replace_all"))
        given.flag(arguments, "replace_all")
        old, new = given.text(arguments, "old_string"), given.text(arguments, "new_string")
        if not old:
            raise ToolError("old_string is empty: use write to make a new file")
        if old == new:
            raise ToolError("old_string and new_string are the same: there is nothing to change")
        access = self.roots.writing(given.text(arguments, "file_path"))
        return _previewed(access, lambda: self._change(arguments, access))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; an edit is over at once
        """Change it."""
        path = permitted(access)
        change = await asyncio.to_thread(self._change, arguments, access)
        diff = await asyncio.to_thread(_kept, change, access.target)
        _save(path, change, access.target)
        places = "1 place" if change.replaced == 1 else f"{change.replaced:,} places"
        return Output((Text(f"edited {access.target} in {places}"),), diff=diff)

    async def close(self) -> None:
        """Nothing is held."""

    def _change(self, arguments: Arguments, access: Access) -> Change:
        return replacing(
            _path(access),
            access.target,
            given.text(arguments, "old_string"),
            given.text(arguments, "new_string"),
            everywhere=given.flag(arguments, "replace_all"),
            most_bytes=self.limits.file_bytes,
        )


def _path(access: Access) -> Path:
    assert access.path is not None
    return access.path


def _previewed(access: Access, change: Callable[[], Change]) -> Access:
    """The access with its diff, or with the reason for which the call is bound to fail."""
    try:
        return replace(access, preview=change().preview(access.target))
    except ToolError as error:
        return replace(access, fault=str(error))


def _kept(change: Change, shown: str) -> str:
    """The diff that the log keeps: nothing of a new file, which the call itself tells whole."""
    diff = "" if change.new else change.preview(shown)
    return diff if len(diff) <= _MOST_DIFF else ""


def _save(path: Path, change: Change, shown: str) -> None:
    # Not in a thread: an interrupt must find the file either written or not.
    save(path, change.form.encode(change.after, shown), shown)
