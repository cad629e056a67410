"""Pieces of a document that wait on the disk for their turn, so that memory holds none of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nlargest
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Self


@dataclass(slots=True)
class Spool:
    """Texts by their place, which come in any order and go in the right one."""

    _file: IO[bytes] = field(default_factory=TemporaryFile)
    _at: dict[int, tuple[int, int, int]] = field(default_factory=dict[int, tuple[int, int, int]])
    """By place: weight, and where in the file from and how many bytes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, place: int, weight: int, text: str) -> None:
        """Keep a text for later."""
        data = text.encode("utf-8", "surrogatepass")
        self._at[place] = (weight, self._file.seek(0, 2), len(data))
        self._file.write(data)

    def __len__(self) -> int:
        return len(self._at)

    def __iter__(self) -> Iterator[str]:
        """The texts, in the order of their places."""
        for place in sorted(self._at):
            _, start, length = self._at[place]
            self._file.seek(start)
            yield self._file.read(length).decode("utf-8", "surrogatepass")

    def heaviest(self, count: int) -> frozenset[int]:
        """Which of them, counted from 0 in their order, have the most weight."""
        weights = [self._at[place][0] for place in sorted(self._at)]
        return frozenset(nlargest(count, range(len(weights)), key=lambda n: (weights[n], -n)))
