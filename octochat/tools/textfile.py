"""Text files as they are: encoding, byte order mark, line ends and mode survive a change."""

import codecs
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from typing import Literal, TextIO

from octochat.tools.base import ToolError
from octochat.tools.failures import reason
from octochat.tools.nofollow import opened, replaced, status

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(code for code in range(ord(" ")) if code not in b"\t\n\r\f\b\x1b")
_FAULT = re.compile("[\udc80-\udcff]")
"""A byte that was no UTF-8, as `surrogateescape` has it."""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_SAMPLE = 8192
"""Bytes that are looked at to tell text from other data."""


class BinaryError(ToolError):
    """A file holds no text."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a text is written as bytes."""

    mark: bytes = b""
    """The byte order mark."""
    encoding: str = "utf-8"
    newline: str = "\n"
    """The line end that most lines have."""
    errors: Literal["strict", "surrogateescape"] = "strict"
    """`surrogateescape`: bytes that are no UTF-8 stand in it and go back as they were."""

    def encode(self, text: str, shown: str) -> bytes:
        r"""The bytes of a text whose lines end with `\n` or as they are.

        Raises:
            ToolError: the encoding does not have one of its characters.
        """
        if self.newline != "\n" and "\r\n" not in text:
            text = text.replace("\n", self.newline)
        try:
            return self.mark + text.encode(self.encoding, self.errors)
        except UnicodeEncodeError as error:
            raise ToolError(
                f"{shown} is written in {self.encoding}, which has no {text[error.start]!r}: "
                "nothing was changed"
            ) from error


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's text, line ends as they are, and its form."""

    text: str
    form: Form


def form_of(sample: bytes, shown: str) -> Form:
    """How a file that begins with these bytes is written.

    Raises:
        BinaryError: it is no text.
    """
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return Form(mark, encoding)
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if 0 in sample or controls * 10 > len(sample):
        raise BinaryError(f"{shown} is a binary file, which can't be shown or edited as text")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return _guessed(sample)[0]
    return Form()


def check_regular(path: Path, shown: str) -> os.stat_result:
    """The file's data.

    Raises:
        FileNotFoundError: there is none.
        ToolError: it is a folder, a pipe or a device, or can't be looked at.
    """
    try:
        found = status(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ToolError(f"{shown}: {reason(error)}") from error
    if stat.S_ISDIR(found.st_mode):
        raise ToolError(f"{shown} is a folder: use glob to list it")
    if not stat.S_ISREG(found.st_mode):
        raise ToolError(f"{shown} is not a regular file (a pipe, a socket or a device)")
    return found


def load(path: Path, shown: str, most_bytes: int) -> TextFile:
    """A whole file.

    Raises:
        FileNotFoundError: there is none.
        ToolError: it is too large, no regular file, no text, or can't be read.
    """
    size = check_regular(path, shown).st_size
    if size > most_bytes:
        raise ToolError(
            f"{shown} has {size:,} bytes, more than the {most_bytes:,} that are read whole: "
            "read parts of it with ranges, search it with grep, change it with bash"
        )
    try:
        with opened(path) as file:
            data = file.read()
    except OSError as error:
        raise ToolError(f"{shown}: {reason(error)}") from error
    form = form_of(data[:_SAMPLE], shown)
    body = data[len(form.mark) :]
    try:
        # Latin-1 takes every byte: what the sample seemed to be may be UTF-8 with a fault in it.
        text = body.decode("utf-8" if form.encoding == "latin-1" else form.encoding)
    except UnicodeDecodeError:
        form, text = _guessed(data)
    windows = text.count("\r\n")
    newline = "\r\n" if windows * 2 > text.count("\n") else "\n"
    return TextFile(text, replace(form, newline=newline))


def _guessed(data: bytes) -> tuple[Form, str]:
    """Bytes that are not what they seemed: UTF-8 with faults in it, or Latin-1."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = data[len(mark) :].decode("utf-8", "surrogateescape")
    faults = len(_FAULT.findall(text))
    if faults <= sum(map(len, _BEYOND_ASCII.findall(text))) - faults:
        return Form(mark, errors="surrogateescape"), text
    return Form(encoding="latin-1"), data.decode("latin-1")


def lines(path: Path, shown: str, most_chars: int) -> Iterator[str]:
    r"""The file's lines with their ends as `\n`, one at a time, each cut after `most_chars`.

    Raises:
        ToolError: it is no text or can't be read.
    """
    try:
        with opened(path) as raw:
            form = form_of(raw.read(_SAMPLE), shown)
            raw.seek(len(form.mark))
            file = TextIOWrapper(raw, encoding=form.encoding, errors="replace", newline="\n")
            yield from cut_lines(file, most_chars)
    except OSError as error:
        raise ToolError(f"{shown}: {reason(error)}") from error


def cut_lines(file: TextIO, most_chars: int) -> Iterator[str]:
    r"""The lines of an open text with their ends as `\n`, each cut after `most_chars`."""
    while line := file.readline(most_chars + len("\r\n")):
        if line.endswith("\n") and not line.endswith("\r\n") and len(line) <= most_chars:
            yield line  # nearly every line: a large file has millions
        else:
            yield _cut(line, file, most_chars)


def _cut(begin: str, file: TextIO, most_chars: int) -> str:
    """One line, which begins like this and goes on in the file."""
    size, rest = len(begin), begin
    while not rest.endswith("\n") and (piece := file.readline(_SAMPLE)):
        size, rest = size + len(piece), piece
    end = "\n" if rest.endswith("\n") else ""
    size -= len(end) + rest.endswith("\r\n")
    more = f" [... {size - most_chars:,} more characters in this line ...]"
    return f"{begin[: min(size, most_chars)]}{more if size > most_chars else ''}{end}"


def save(path: Path, data: bytes, shown: str) -> None:
    """Write a file at once or not at all; folders are made, an existing file's mode is kept.

    Raises:
        ToolError: it could not be written; what was there is still there.
    """
    try:
        replaced(path, data, _mode(path, shown))
    except OSError as error:
        raise ToolError(f"{shown} was not written: {reason(error)}") from error


def _mode(path: Path, shown: str) -> int | None:
    try:
        mode = stat.S_IMODE(check_regular(path, shown).st_mode)
    except FileNotFoundError:
        return None
    if not mode & 0o222:
        raise ToolError(f"{shown} was not written: the file is marked read-only")
    return mode
