"""Collects what a command prints: head and tail in memory, everything in a file, all harmless."""

import codecs
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from octochat.text.harmless import harmless
from octochat.text.secrets import unfinished_key
from octochat.tools.base import ToolError
from octochat.tools.failures import reason
from octochat.tools.limits import Limits, Spill, left_out

_LONGEST_HELD = 4096
"""Characters of an unfinished line that wait for its end."""


@dataclass(slots=True)
class Capture:
    """The output of one command as it comes in, line by line."""

    limits: Limits
    spill: Spill
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace")
    )
    left_out: int = 0
    """Characters that the text for the model lacks; known when it is finished."""
    _held: str = ""
    _head: str = ""
    _tail: str = ""
    _size: int = 0
    _line_ends: int = 0
    _written: int = 0
    _file: TextIO | None = None
    _path: Path | None = None
    _fault: str = ""

    def add(self, data: bytes) -> str:
        """Take a piece in; returns the lines that are now complete, as they may be shown."""
        self._held += self._decoder.decode(data)
        cut = self._held.rfind("\n") + 1
        if cut == 0 and len(self._held) > _LONGEST_HELD:
            cut = len(self._held)
        cut = unfinished_key(self._held[:cut])
        piece, self._held = harmless(self._held[:cut]), self._held[cut:]
        self._keep(piece)
        return self.spill.masked(piece)

    def finish(self) -> str:
        """The text for the model. A file is there only where something was left out."""
        self._keep(harmless(self._held + self._decoder.decode(b"", final=True)))
        self._held = ""
        self._close()
        if self._size <= self.limits.output_chars:
            return self._head
        head = self._head[: self._head.rfind("\n") + 1] or self._head
        tail = self._tail[self._tail.find("\n") + 1 :] or self._tail
        first, last = head.count("\n") + 1, self._line_ends - tail.count("\n")
        missing = self.left_out = self._size - len(head) - len(tail)
        if self._path is None:
            gap = f"[... {missing:,} characters left out; they are lost: {self._fault} ...]"
        else:
            fault = f"\n[{self._fault}]" if self._fault else ""
            gap = left_out(missing, first, last, self._path) + fault
        return "\n".join((head.removesuffix("\n"), gap, tail))

    def _keep(self, piece: str) -> None:
        overflowed = self._size > self.limits.output_chars
        self._size += len(piece)
        self._line_ends += piece.count("\n")
        if overflowed:
            self._write(piece)
            self._tail = (self._tail + piece)[-(self.limits.output_chars // 3) :]
            return
        self._head += piece
        if self._size > self.limits.output_chars:
            self._open()
            self._write(self._head)
            self._tail = self._head[-(self.limits.output_chars // 3) :]
            self._head = self._head[: self.limits.output_chars * 2 // 3]

    def _open(self) -> None:
        try:
            self._path = self.spill.new("bash")
            self._file = self._path.open("w", encoding="utf-8")
        except (OSError, ToolError) as error:
            self._fault = reason(error) if isinstance(error, OSError) else str(error)

    def _write(self, piece: str) -> None:
        if self._file is None:
            return
        piece = self.spill.masked(piece)
        self._written += len(piece.encode())
        if self._written > self.limits.spill_bytes:
            self._fault = f"only the first {self.limits.spill_bytes:,} bytes are in the file"
            self._close()
            return
        try:
            self._file.write(piece)
        except OSError as error:
            self._fault = f"the file is not complete: {reason(error)}"
            self._close()

    def _close(self) -> None:
        if self._file is None:
            return
        file, self._file = self._file, None
        try:
            file.close()
        except OSError as error:
            self._fault = f"the file is not complete: {reason(error)}"
