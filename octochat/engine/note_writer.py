"""The port to whoever writes notes: what a summariser is given, and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from octochat.context.session.content import Opaque, Text
from octochat.context.session.edits import Brief
from octochat.context.session.events import Entry, Knowledge, Trigger, Usage
from octochat.context.session.state import State


@dataclass(slots=True)
class Bill:
    """What the tries for one note have cost so far: it is owed even where the note is stopped.

    And how far the one under way has come, for those who watch.
    """

    writer: str = ""
    """The model that was asked last."""
    usage: Usage = Usage()
    cost: float | None = 0.0
    """Dollars; None as soon as a call has no known price."""
    characters: int = 0
    """What has come of the answer so far, thinking included."""

    def add(self, writer: str, usage: Usage, dollars: float | None) -> None:
        """One more call."""
        self.writer = writer
        self.usage += usage
        self.cost = None if dollars is None or self.cost is None else self.cost + dollars


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
    bill: Bill = field(default_factory=Bill)
    """Where the writer notes what each call costs, as it goes."""


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

    @classmethod
    def owing(cls, bill: Bill, why: str) -> "SummaryError":
        """The error that says what was paid for nothing."""
        return cls(why, writer=bill.writer, usage=bill.usage, cost=bill.cost)


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
