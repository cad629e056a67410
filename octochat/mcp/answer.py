"""What a server answers, as content within the limits of tools. It knows the SDK's values by shape.

Source: docs/mcp.md#results.
"""

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from octochat.context.session.content import Image, Opaque, Said, Text
from octochat.text.figures import count
from octochat.tools.failures import reason
from octochat.tools.limits import Limits, Spill

PICTURES: Final = ("image/jpeg", "image/png", "image/gif", "image/webp")
"""What the API takes."""
_PDF = "application/pdf"
_ENDINGS = {"text/html": "html", "application/zip": "zip", _PDF: "pdf", "audio/wav": "wav"}


@dataclass(frozen=True, slots=True)
class Room:
    """What may be made of an answer."""

    limits: Limits
    spill: Spill
    """Where goes what is too long, and what the model can't be shown."""
    pictures: Callable[[], bool]
    """Whether the session's model takes pictures and PDFs."""


def content(parts: Iterable[Any], structured: object, source: str, room: Room) -> tuple[Said, ...]:
    """The content of a tool's result, a prompt or a resource.

    Args:
        parts: the SDK's content blocks.
        structured: the answer as data, which counts where there is no other.
        source: the server, for the names of files.
        room: the limits, in characters and bytes.

    Raises:
        ToolError: what is too long can't be written to a file.
    """
    said: list[Said] = [each for part in parts for each in _said(part, source, room)]
    if not said and structured is not None:
        said = [Text(json.dumps(structured, ensure_ascii=False, indent=1, default=str))]
    return tuple(_within(said, source, room))


def resources(contents: Iterable[Any], source: str, room: Room) -> tuple[Said, ...]:
    """What a server gives for the address of a resource; for the arguments see `content`."""
    said = [each for part in contents for each in resource(part, source, room)]
    return tuple(_within(said, source, room))


def _within(said: list[Said], source: str, room: Room) -> Iterator[Said]:
    """All texts as one that fits, then the rest."""
    text = "\n".join(each.text for each in said if isinstance(each, Text))
    if text:
        yield Text(room.spill.shortened(text, source, room.limits))
    yield from (each for each in said if not isinstance(each, Text))


def _said(part: Any, source: str, room: Room) -> Iterator[Said]:
    match part.type:
        case "text":
            yield Text(part.text)
        case "image" | "audio":
            yield _file(part.mime_type, part.data, source, room)
        case "resource_link":
            told = " · ".join(filter(None, (part.title or part.name, part.description)))
            yield Text(f"[resource {part.uri}: {told}]")
        case "resource":
            yield from resource(part.resource, source, room)
        case other:
            yield Text(f"[{other}: a kind of answer that octochat does not know]")


def resource(given: Any, source: str, room: Room) -> Iterator[Said]:
    """One content of a resource."""
    text: str | None = getattr(given, "text", None)
    if text is not None:
        yield Text(f"[resource {given.uri}]\n{text}")
        return
    yield Text(f"[resource {given.uri}]")
    yield _file(given.mime_type or "", given.blob, source, room)


def _file(kind: str, data: str, source: str, room: Room) -> Said:
    """A picture or a PDF where the model takes it; else where the file is."""
    try:
        size = len(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return Text(f"[{kind or 'data'} that is not valid base64]")
    limits = room.limits
    if room.pictures() and kind in PICTURES and 0 < size <= limits.image_bytes:
        return Image(kind, data)
    if room.pictures() and kind == _PDF and 0 < size <= limits.pdf_bytes:
        given = {"type": "base64", "media_type": kind, "data": data}
        return Opaque({"type": "document", "source": given})
    return Text(f"[{kind or 'data'}, {count(size, 'byte')}: {_saved(kind, data, source, room)}]")


def _saved(kind: str, data: str, source: str, room: Room) -> str:
    path = room.spill.new(source)
    named = path.with_suffix(f".{_ENDINGS.get(kind) or kind.rpartition('/')[2] or 'bin'}")
    try:
        Path(path).write_bytes(base64.b64decode(data))
        path.rename(named)
    except (OSError, ValueError) as error:
        return reason(error) if isinstance(error, OSError) else "it could not be saved"
    return f"in {named}"
