"""The port to whoever writes notes: what a summariser is given, and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from octochat.context.content import Opaque, Text
from octochat.context.edits import Brief
from octochat.context.events import Entry, Knowledge, Trigger, Usage
from octochat.context.state import State


@dataclass(frozen=True, slots=True)
class Job:
    """A note to be written."""

    state: State
    """The session as it stands: view, knowledge, model."""
    brief: Brief
    entries: Sequence[Entry]
    """The whole log: the originals of what is folded, also of what was trimmed or folded before."""
    trigger: Trigger
    """In `auto`, a summariser may say no."""
    now: float
    """Seconds since the epoch: tells whether the cache is warm."""


@dataclass(frozen=True, slots=True)
class Written:
    """A note."""

    note: tuple[Text | Opaque, ...]
    learned: tuple[Knowledge, ...] = ()
    writer: str = ""
    """The model that wrote it, or `extractive`."""
    usage: Usage = Usage()
    cost: float | None = 0.0
    """Dollars; None for a model without known prices."""
    why: str = ""
    """Said beside it: that a fallback wrote it, for instance."""


class SummaryError(Exception):
    """There is no note. `str(error)` says why, in words for a person."""

    def __init__(
        self, why: str, *, writer: str = "", usage: Usage | None = None, cost: float | None = 0.0
    ) -> None:
        super().__init__(why)
        self.writer: str = writer
        self.usage: Usage = usage or Usage()
        """What was billed for nothing."""
        self.cost: float | None = cost


class NoteWriter(Protocol):
    """Writes notes: `summary.py`."""

    async def write(self, job: Job) -> Written:
        """Have the note written as configured.

        Raises:
            SummaryError: it failed, or (in `auto`) it was advised against.
        """
        ...

    def extract(self, job: Job) -> Written:
        """Write the note without any model."""
        ...
