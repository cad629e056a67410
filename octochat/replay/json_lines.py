"""The lines of a JSONL file: objects, and what is wrong with the lines that are none."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from octochat.replay.api_blocks import Json, as_object
from octochat.replay.recording import ReadError


@dataclass(frozen=True, slots=True)
class Line:
    """One readable line."""

    number: int
    """Counted from 1."""
    raw: Json


@dataclass(slots=True)
class Lines:
    """A file's readable lines; `faults` names the others while they are drawn."""

    path: Path
    faults: list[str] = field(default_factory=list[str])

    def __iter__(self) -> Iterator[Line]:
        """Draw the lines.

        Raises:
            ReadError: the file can't be opened or is not UTF-8 text.
        """
        try:
            text = self.path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise ReadError(f"{self.path}: {_reason(error)}") from error
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield from self._line(number, line)

    def _line(self, number: int, line: str) -> Iterator[Line]:
        try:
            parsed: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            self.faults.append(f"line {number}: left out, not JSON ({error})")
            return
        raw = as_object(parsed)
        if raw is None:
            self.faults.append(f"line {number}: left out, not an object")
        else:
            yield Line(number, raw)


def _reason(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "not UTF-8 text"
