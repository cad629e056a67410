"""The tool that reads a file: text whole or by lines, pictures and PDFs as what they are."""

import asyncio
import base64
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from octochat.context.session.content import Image, Opaque, Said, Text
from octochat.context.session.events import ToolDefinition
from octochat.text.harmless import visible
from octochat.tools import arguments as given
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.facts import ToolFacts
from octochat.tools.failures import reason
from octochat.tools.limits import Limits, head_and_tail
from octochat.tools.paths import FILE_PATH, Roots, missing, permitted
from octochat.tools.textfile import check_regular, lines, load
from octochat.tools.tool_context import ToolContext

_IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
_SPEC = ToolDefinition(
    name="read",
    description=(
        "Read a file. Text comes exactly as it is (without line numbers); a picture (png, jpg, "
        "gif, webp) or a PDF comes as an image or a document. A long text comes with its middle "
        "left out and says which lines are missing: read those with view_range. Use it rather "
        "than cat, head or tail."
    ),
    schema=given.schema(
        ["file_path"],
        file_path=FILE_PATH,
        view_range={
            "type": "array",
            "items": {"type": "integer"},
            "minItems": 2,
            "maxItems": 2,
            "description": (
                "[start_line, end_line], counted from 1, both included; an end_line of -1 means "
                "the end of the file. Works on files of any size. Not for pictures and PDFs."
            ),
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Read:
    """Reads one file."""

    name: ClassVar[str] = _SPEC.name
    facts: ClassVar[ToolFacts] = ToolFacts(("file_path",), lines="view_range")

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
        """The file that would be read."""
        given.known(arguments, ("file_path", "view_range"))
        given.line_range(arguments, "view_range")
        return self.roots.reading(given.text(arguments, "file_path"))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:  # noqa: ARG002 - the port has it; a read is over at once
        """Its content."""
        path, wanted = permitted(access), given.line_range(arguments, "view_range")
        return Output((await asyncio.to_thread(self._said, path, access.target, wanted),))

    async def close(self) -> None:
        """Nothing is held."""

    def _said(self, path: Path, shown: str, wanted: tuple[int, int | None] | None) -> Said:
        try:
            size = check_regular(path, shown).st_size
        except FileNotFoundError as error:
            raise missing(shown, path) from error
        media = _IMAGES.get(path.suffix.lower())
        if media or path.suffix.lower() == ".pdf":
            if wanted:
                raise ToolError(f"{shown}: view_range is for text; leave it out here")
            return self._picture(path, shown, media, size)
        if wanted:
            return Text(self._lines(path, shown, *wanted))
        text = visible(load(path, shown, self.limits.file_bytes).text)
        return Text(head_and_tail(text, self.limits.output_chars, shown) or f"[{shown} is empty]")

    def _lines(self, path: Path, shown: str, start: int, end: int | None) -> str:
        kept: list[str] = []
        size = number = 0
        for number, line in enumerate(lines(path, shown, self.limits.output_chars), 1):
            if end is not None and number > end:
                break
            if number < start:
                continue
            if size + len(line) > self.limits.output_chars and kept:
                kept.append(f"[... cut here: read on with view_range [{number}, {end or -1}] ...]")
                break
            kept.append(line)
            size += len(line)
        if not kept:
            raise ToolError(f"{shown} has {number} lines: there is no line {start}")
        return visible("".join(kept))

    def _picture(self, path: Path, shown: str, media: str | None, size: int) -> Said:
        most = self.limits.image_bytes if media else self.limits.pdf_bytes
        if size > most:
            raise ToolError(f"{shown} has {size:,} bytes; the model accepts at most {most:,}")
        try:
            data = base64.standard_b64encode(path.read_bytes()).decode("ascii")
        except OSError as error:
            raise ToolError(f"{shown}: {reason(error)}") from error
        if media:
            return Image(media, data)
        source = {"type": "base64", "media_type": "application/pdf", "data": data}
        return Opaque({"type": "document", "source": source})
