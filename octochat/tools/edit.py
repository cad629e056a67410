"""The tool that replaces pieces of a file."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from octochat.context.session.content import Text
from octochat.context.session.events import ToolDefinition
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.change import Change, diff_to_keep, path_of, previewed, saved
from octochat.tools.limits import Limits
from octochat.tools.paths import FILE_PATH, Roots, permitted
from octochat.tools.replacing import Replacement, replacing
from octochat.tools.seen import Seen
from octochat.tools.tool_context import ToolContext

_ONE: Final[Mapping[str, Mapping[str, object]]] = {
    "old_string": {"type": "string"},
    "new_string": {"type": "string"},
    "replace_all": {"type": "boolean"},
}
_SPEC = ToolDefinition(
    name="edit",
    description=(
        "Replace text in a file. old_string must be in it exactly as given, white space included, "
        "and once only unless replace_all is set. Encoding and line ends stay."
    ),
    schema=given.schema(
        ["file_path"],
        file_path=FILE_PATH,
        **_ONE,
        edits={
            "type": "array",
            "items": {
                "type": "object",
                "properties": _ONE,
                "required": ["old_string", "new_string"],
            },
            "description": "Instead, several at once: made in this order, all or none.",
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces pieces of one file."""

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
        """The file that would be changed."""
        given.known(arguments, ("file_path", *_ONE, "edits"))
        _replacements(arguments)
        return self.roots.writing(given.text(arguments, "file_path"))

    async def foreseen(self, arguments: Arguments, access: Access) -> Access:
        """How it would be changed."""
        return await previewed(access, lambda: self._change(arguments, access))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; an edit is over at once
        """Change it."""
        path = permitted(access)
        change = await asyncio.to_thread(self._change, arguments, access)
        diff = await asyncio.to_thread(diff_to_keep, change, access.target)
        saved(path, change, access.target, self.seen)
        places = "1 place" if change.replaced == 1 else f"{change.replaced:,} places"
        return Output((Text(f"edited {access.target} in {places}"),), diff=diff)

    async def close(self) -> None:
        """Nothing is held."""

    def _change(self, arguments: Arguments, access: Access) -> Change:
        wanted, most = _replacements(arguments), self.limits.file_bytes
        return replacing(path_of(access), access.target, wanted, most, self.seen)


def _replacements(arguments: Arguments) -> Sequence[Replacement]:
    edits = given.objects(arguments, "edits")
    if not edits:
        return (_replacement(arguments),)
    if not set(_ONE).isdisjoint(arguments):
        raise ToolError("give either edits or one old_string and new_string, not both")
    found: list[Replacement] = []
    for number, edit in enumerate(edits, 1):
        try:
            given.known(edit, _ONE)
            found.append(_replacement(edit))
        except ToolError as error:
            raise ToolError(f"edit {number} of {len(edits)}: {error}") from error
    return found


def _replacement(arguments: Arguments) -> Replacement:
    old, new = given.text(arguments, "old_string"), given.text(arguments, "new_string")
    if not old:
        raise ToolError("old_string is empty: use write to make a new file")
    if old == new:
        raise ToolError("old_string and new_string are the same: there is nothing to change")
    return Replacement(old, new, given.flag(arguments, "replace_all"))
