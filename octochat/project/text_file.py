"""A small text file, read without trust: a regular one, of a sane size, whatever its encoding."""

import codecs
import os
import stat
from dataclasses import dataclass
from pathlib import Path

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class UnusableFileError(Exception):
    """The file can't be taken; the message says why, and does not name it."""


@dataclass(frozen=True, slots=True)
class TextFile:
    r"""What a text file says: its lines end with `\n`, and it has no byte order mark."""

    text: str
    oddities: tuple[str, ...] = ()
    """How it differs from plain UTF-8 with Unix line ends, in a few words each."""


def read_text_file(path: Path, most_bytes: int) -> TextFile:
    """The text of a file; bytes that are none are replaced.

    Raises:
        UnusableFileError: it is no regular file, larger than `most_bytes`, or not text.
        FileNotFoundError: there is none.
    """
    try:
        # A pipe would make an ordinary `open` wait for a writer.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnusableFileError("it is not a regular file")
            data = file.read(most_bytes + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnusableFileError(f"it can't be read ({error.strerror})") from error
    if len(data) > most_bytes:
        raise UnusableFileError(f"it is larger than {most_bytes // 1024:,} KiB")
    return _decoded(data)


def _decoded(data: bytes) -> TextFile:
    mark, encoding = next(
        ((mark, name) for mark, name in _MARKS.items() if data.startswith(mark)), (b"", "utf-8")
    )
    text = data[len(mark) :].decode(encoding, "replace")
    if "\0" in text:
        raise UnusableFileError("it is not text")
    found = {
        "it begins with a byte order mark": bool(mark),
        "its lines end as on Windows (CRLF)": "\r\n" in text,
        "it is not all UTF-8: what can't be read is shown as \ufffd": "\ufffd" in text,
    }
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return TextFile(plain, tuple(words for words, there in found.items() if there))
