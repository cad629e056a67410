"""The lines of a JSONL file: objects, and what is wrong with the lines that are none."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field

from octochat.replay.api_blocks import Json, as_object


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One readable line."""

    number: int
    """Counted from 1."""
    raw: Json


@dataclass(slots=True)
class Lines:
    """A file's readable lines; `faults` names the others while they are drawn."""

    data: bytes
    faults: list[str] = field(default_factory=list[str])

    def __iter__(self) -> Iterator[JsonLine]:
        """Draw the lines."""
        for number, line in enumerate(self.data.removeprefix(BOM_UTF8).split(b"\n"), 1):
            if line.strip():
                yield from self._line(number, line)

    def _line(self, number: int, line: bytes) -> Iterator[JsonLine]:
        try:
            parsed: object = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError:
            self.faults.append(f"line {number}: left out, not UTF-8 text")
            return
        except (ValueError, RecursionError) as error:
            self.faults.append(f"line {number}: left out, not JSON ({error})")
            return
        raw = as_object(parsed)
        if raw is None:
            self.faults.append(f"line {number}: left out, not an object")
        else:
            yield JsonLine(number, raw)
