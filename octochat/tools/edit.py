"""The tool that replaces a piece of a file."""

import asyncio
from dataclasses import dataclass
from typing import ClassVar, Self

from octochat.context.session.content import Text
from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.change import Change, diff_to_keep, path_of, previewed, replacing, saved
from octochat.tools.facts import ToolFacts
from octochat.tools.limits import Limits
from octochat.tools.paths import FILE_PATH, Roots, permitted
from octochat.tools.tool_context import ToolContext

_SPEC = ToolDefinition(
    name="edit",
    description=(
        "Replace one text in a file with another. old_string must be in the file exactly as "
        "given, white space included, and only once unless replace_all is set: give enough of "
        "the text around it. The file keeps its encoding, line ends and mode."
    ),
    schema=given.schema(
        ["file_path", "old_string", "new_string"],
        file_path=FILE_PATH,
        old_string={"type": "string", "description": "The text to replace."},
        new_string={"type": "string", "description": "The text to put in its place."},
        replace_all={
            "type": "boolean",
            "description": "Replace every occurrence, not just one.",
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces a piece of one file."""

    name: ClassVar[str] = _SPEC.name
    facts: ClassVar[ToolFacts] = ToolFacts(
        ("file_path",), old_text="old_string", new_text="new_string"
    )

    roots: Roots
    limits: Limits

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.roots, place.limits)

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _SPEC

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
        return previewed(access, lambda: self._change(arguments, access))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; an edit is over at once
        """Change it."""
        path = permitted(access)
        change = await asyncio.to_thread(self._change, arguments, access)
        diff = await asyncio.to_thread(diff_to_keep, change, access.target)
        saved(path, change, access.target)
        places = "1 place" if change.replaced == 1 else f"{change.replaced:,} places"
        return Output((Text(f"edited {access.target} in {places}"),), diff=diff)

    async def close(self) -> None:
        """Nothing is held."""

    def _change(self, arguments: Arguments, access: Access) -> Change:
        return replacing(
            path_of(access),
            access.target,
            given.text(arguments, "old_string"),
            given.text(arguments, "new_string"),
            everywhere=given.flag(arguments, "replace_all"),
            most_bytes=self.limits.file_bytes,
        )
