"""Width and height of a picture from its first bytes: PNG, GIF, JPEG and WebP.

It decodes no pixels and knows nothing of tokens.
"""

import struct

Size = tuple[int, int]

_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that carry the dimensions."""


def image_size(data: bytes) -> Size | None:
    """Width and height in pixels; None where the header is cut, broken or of another format."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return struct.unpack(">II", data[16:24])
        if data.startswith((b"GIF87a", b"GIF89a")):
            return struct.unpack("<HH", data[6:10])
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except (struct.error, IndexError):
        return None
    return None


def _jpeg(data: bytes) -> Size | None:
    """Walk the segments to the frame header (ITU T.81, B.2.2)."""
    at = 2
    while data[at] == 0xFF:  # noqa: PLR2004 - every marker begins with it
        marker = data[at + 1]
        if marker in _FRAME_HEADERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        fill = marker == 0xFF  # noqa: PLR2004 - a fill byte before the marker
        at += 1 if fill else 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None


def _webp(data: bytes) -> Size | None:
    """Lossy, lossless or extended (RFC 9649, sections 2.5 to 2.7)."""
    chunk = data[12:16]
    if chunk == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if chunk == b"VP8L":
        bits = struct.unpack("<I", data[21:25])[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8X" and len(data) >= 30:  # noqa: PLR2004 - the chunk's end
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None
