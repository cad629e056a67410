"""Pictures as a model takes them: told by their first bytes, not by their names.

The API refuses a request with a picture that is not what it is called, and with it all that follow.
"""

import base64

from octochat.context.session.content import Image
from octochat.models.tokens.image_size import image_size
from octochat.tools.base import ToolError

LONGEST_SIDE = 8_000
"""Pixels that the API takes at most (API documentation, "Vision")."""
HEADER = 16
"""Bytes that tell what a file is."""
_KINDS = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
}


def media_type(header: bytes) -> str:
    """What picture begins with these bytes; empty for everything else."""
    if header[:4] == b"RIFF" and header[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for kind, begins in _KINDS.items() if header.startswith(begins)), "")


def picture(data: bytes, shown: str, most_bytes: int) -> Image:
    """A picture for the model.

    Raises:
        ToolError: it is broken, or larger than the API takes.
    """
    if len(data) > most_bytes:
        raise ToolError(
            f"{shown} has {len(data):,} bytes; the model takes at most {most_bytes:,}: make a "
            "smaller copy and read that"
        )
    size = image_size(data)
    if size is None or 0 in size:
        raise ToolError(f"{shown} is a broken picture: its size can't be read")
    if max(size) > LONGEST_SIDE:
        raise ToolError(
            f"{shown} has {size[0]:,} x {size[1]:,} pixels; the model takes at most "
            f"{LONGEST_SIDE:,} a side: make a smaller copy and read that"
        )
    return Image(media_type(data[:HEADER]), base64.standard_b64encode(data).decode("ascii"))
