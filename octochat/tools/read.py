"""The tool that reads a file: text whole or by lines, pictures and PDFs as what they are."""

import asyncio
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from octochat.context.session.content import Said, Text
from octochat.context.session.events import ToolDefinition
from octochat.context.session.tool_marks import numbered
from octochat.text.harmless import visible
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.excerpt import Range, of_ends, of_ranges
from octochat.tools.failures import reason
from octochat.tools.limits import FileSettings, Limits
from octochat.tools.nofollow import opened
from octochat.tools.paths import FILE_PATH, Roots, missing, permitted
from octochat.tools.pdf import PDF, document, pages
from octochat.tools.pictures import HEADER, media_type, picture
from octochat.tools.seen import Seen
from octochat.tools.textfile import check_regular, cut_lines, lines, load
from octochat.tools.tool_context import ToolContext

_COUNTED = 500_000_000
"""Bytes: of a larger file the lines are not counted to the end."""
_NUMBER = 7
"""Characters that a line's number takes, about."""


def _spec(files: FileSettings) -> ToolDefinition:
    numbers = "Before each line stand its number and a tab. " if files.numbers else ""
    return ToolDefinition(
        name=Read.name,
        description=(
            f"Read a file. {numbers}Of a long text you get head and tail, and which lines are "
            "missing. Pictures (PNG, JPEG, GIF, WebP) and PDFs come as what they are. Use it "
            "rather than cat, head or tail."
        ),
        schema=given.schema(
            ["file_path"],
            file_path=FILE_PATH,
            ranges={
                "type": "array",
                "items": {"type": "array", "items": {"type": "integer"}},
                "description": (
                    "Only these lines, such as [[1, 40], [200, -1]]; -1 is the end. Of a PDF: "
                    "these pages, as text."
                ),
            },
        ),
    )


@dataclass(frozen=True, slots=True)
class Read:
    """Reads one file."""

    name: ClassVar[str] = "read"

    roots: Roots
    limits: Limits
    files: FileSettings
    seen: Seen
    pictures: Callable[[], bool]
    """Whether the session's model takes pictures and PDFs."""

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.roots, place.limits, place.files, place.seen, place.pictures)

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        return _spec(self.files)

    def access(self, arguments: Arguments) -> Access:
        """The file that would be read."""
        given.known(arguments, ("file_path", "ranges"), formerly=("view_range",))
        _wanted(arguments)
        return self.roots.reading(given.text(arguments, "file_path"))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; a read is over at once
        """Its content."""
        path, wanted = permitted(access), _wanted(arguments)
        return Output((await asyncio.to_thread(self._said, path, access.target, wanted),))

    async def close(self) -> None:
        """Nothing is held."""

    def _said(self, path: Path, shown: str, wanted: Sequence[Range]) -> Said:
        try:
            size = check_regular(path, shown).st_size
        except FileNotFoundError as error:
            raise missing(shown, path) from error
        header = _bytes(path, shown, HEADER)
        if header.startswith(PDF):
            return self._pdf(path, shown, wanted)
        if not media_type(header):
            return Text(self._text(path, shown, wanted, size))
        if wanted:
            raise ToolError(f"{shown} is a picture, which has no lines: leave ranges out")
        if not self.pictures():
            raise ToolError(f"{shown} is a picture, which this model can't see")
        most = self.limits.image_bytes
        return picture(_bytes(path, shown, most + 1), shown, most)

    def _pdf(self, path: Path, shown: str, wanted: Sequence[Range]) -> Said:
        most = self.limits.pdf_bytes
        data = _bytes(path, shown, most + 1)
        if len(data) > most:
            raise ToolError(f"{shown} has more than {most:,} bytes, too many for a PDF")
        if wanted or not self.pictures():
            return Text(visible(pages(data, shown, wanted, self.limits.output_chars)))
        return document(data, shown)

    def _text(self, path: Path, shown: str, wanted: Sequence[Range], bytes_: int) -> str:
        room = self.limits.output_chars
        found = self._lines(path, shown, bytes_, room if wanted else room // 3)
        size = self._size
        if wanted:
            excerpt = of_ranges(found, wanted, room, size, counting=bytes_ <= _COUNTED)
        else:
            excerpt = of_ends(found, room, size)
        if not excerpt.total and not excerpt.runs:
            return f"[{shown} is empty]"
        if not excerpt.runs:
            raise ToolError(f"{shown} has {excerpt.total} lines: there is no line {wanted[0][0]}")
        return excerpt.text(self._line)

    def _lines(self, path: Path, shown: str, size: int, most_chars: int) -> Iterator[str]:
        if size > self.limits.file_bytes:
            return lines(path, shown, most_chars)
        text = load(path, shown, self.limits.file_bytes).text
        self.seen.note(path, text)
        return cut_lines(io.StringIO(text, newline="\n"), most_chars)

    def _size(self, line: str) -> int:
        return len(line) + (_NUMBER if self.files.numbers else 0)

    def _line(self, number: int, line: str) -> str:
        return numbered(number, visible(line)) if self.files.numbers else visible(line)


def _wanted(arguments: Arguments) -> Sequence[Range]:
    """The ranges; sessions from before `ranges` have a tool with one `view_range`."""
    return given.ranges(arguments, "ranges") or given.ranges(arguments, "view_range")


def _bytes(path: Path, shown: str, most: int) -> bytes:
    try:
        with opened(path) as file:
            return file.read(most)
    except OSError as error:
        raise ToolError(f"{shown}: {reason(error)}") from error
