"""How much a tool may say, and where the rest goes."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from octochat.context.codec.bounds import Duration, Positive
from octochat.text.secrets import masked
from octochat.tools.base import ToolError
from octochat.tools.failures import reason


@dataclass(frozen=True, slots=True)
class Limits:
    """`[tools]`: what bounds the tools."""

    output_chars: Positive = 30_000
    """The longest tool result, in characters. The rest goes to a file."""
    file_bytes: Positive = 10_000_000
    """The largest text file to read or edit whole, in bytes."""
    image_bytes: Positive = 3_750_000
    """The largest picture, in bytes. (The API takes 5 MB of base64.)"""
    pdf_bytes: Positive = 20_000_000
    """The largest PDF, in bytes."""
    spill_bytes: Positive = 100_000_000
    """How much of a command's output to keep, in bytes."""
    command_timeout: Duration = "2m"
    """How long a command may run if the model does not say."""
    command_timeout_most: Duration = "10m"
    """The longest run that the model can ask for."""
    matches: Positive = 1_000
    """The most files or lines a search returns."""
    walked: Positive = 100_000
    """The most files a search looks at."""
    search_timeout: Duration = "30s"
    """The longest search."""
    pass_environment: tuple[str, ...] = ()
    """Variables that commands see although they look like secrets, such as "GITHUB_TOKEN" or
    "NPM_*"."""


@dataclass(frozen=True, slots=True)
class FileSettings:
    """`[files]`: how the model gets to see files."""

    numbers: bool = True
    """Whether lines that are read come with their numbers. It costs about 15 % more tokens."""


@dataclass(frozen=True, slots=True)
class Spill:
    """A session's folder for what was too long. The model may read in it without asking."""

    folder: Path
    mask: bool = True
    """Whether keys of known shapes are masked in it."""

    def masked(self, text: str) -> str:
        """The text as it may be kept and shown."""
        return masked(text)[0] if self.mask else text

    def new(self, name: str) -> Path:
        """The path of a new empty file, which only its owner can read.

        Raises:
            ToolError: the folder can't be written.
        """
        path = self.folder / f"{name}-{secrets.token_hex(4)}.txt"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=False)
        except OSError as error:
            raise ToolError(f"{self.folder}: {reason(error)}") from error
        return path

    def shortened(self, text: str, name: str, limits: Limits) -> str:
        """The text; where it is too long its head and tail, and the whole goes to a file.

        Raises:
            ToolError: the file can't be written.
        """
        if len(text) <= limits.output_chars:
            return text
        path = self.new(name)
        try:
            path.write_text(self.masked(text), encoding="utf-8")
        except OSError as error:
            path.unlink(missing_ok=True)
            raise ToolError(f"{path}: {reason(error)}") from error
        return head_and_tail(text, limits.output_chars, path)


def head_and_tail(text: str, limit: int, path: os.PathLike[str] | str, first_line: int = 1) -> str:
    """The beginning and the end of a text, and a line that says what is missing and where it is.

    `first_line` is the number that the text's first line has in the file `path`.
    """
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 2 // 3], text[-(limit // 3) :]
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    start = first_line + head.count("\n")
    end = first_line + text[: -len(tail)].removesuffix("\n").count("\n")
    gap = left_out(len(text) - len(head) - len(tail), start, end, path)
    return "\n".join((head.removesuffix("\n"), gap, tail))


def left_out(characters: int, start: int, end: int, path: os.PathLike[str] | str) -> str:
    """The line that stands where something is missing."""
    return (
        f"[... {characters:,} characters left out (lines {start} to {end}); the full text is in "
        f"{os.fspath(path)}: read it with ranges ...]"
    )
