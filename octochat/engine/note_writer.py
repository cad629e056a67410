"""The port to whoever writes notes: what a summariser is given, and what it gives back."""

from dataclasses import dataclass
from typing import Protocol

from octochat.context.plans.note_source import NoteSource
from octochat.context.session.content import Opaque, Text
from octochat.context.session.events import Knowledge, Usage


@dataclass(slots=True)
class Bill:
    """What the tries for one note have cost so far: it is owed even where the note is stopped.

    And how far the one under way has come, for those who watch.
    """

    writer: str = ""
    """The model that was asked last."""
    usage: Usage = Usage()
    cost: float | None = 0.0
    """Dollars of the calls whose price is known; None where there are calls, and no price is."""
    characters: int = 0
    """What has come of the answer so far, thinking included."""

    def add(self, writer: str, usage: Usage, dollars: float | None) -> None:
        """One more call."""
        self.writer = writer
        self.usage += usage
        self.cost = (self.cost or None) if dollars is None else (self.cost or 0.0) + dollars


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """A note, and what it cost."""

    blocks: tuple[Text | Opaque, ...]
    learned: tuple[Knowledge, ...] = ()
    writer: str = ""
    """The model that wrote it, or `extractive`."""
    usage: Usage = Usage()
    cost: float | None = 0.0
    """Dollars; None for a model without known prices."""
    why: str = ""
    """Said beside it: that a fallback wrote it, for instance."""
    outdated: tuple[Knowledge, ...] = ()
    """What was known and holds no longer."""
    answer: str = ""
    """What the model wrote, where the note had no room for all of it."""


class SummaryError(Exception):
    """There is no note. `str(error)` says why, in words for a person."""

    def __init__(
        self,
        why: str,
        *,
        writer: str,
        usage: Usage,
        cost: float | None,
        refused: bool,
    ) -> None:
        super().__init__(why)
        self.writer: str = writer
        self.usage: Usage = usage
        """What was billed for nothing."""
        self.cost: float | None = cost
        self.refused: bool = refused
        """The model would not write it, whoever asks: another one, or none, is to write it."""

    @classmethod
    def owing(cls, bill: Bill, why: str, *, refused: bool = False) -> "SummaryError":
        """The error that says what was paid for nothing."""
        return cls(why, writer=bill.writer, usage=bill.usage, cost=bill.cost, refused=refused)


class NoteWriter(Protocol):
    """Writes notes: `summariser.py`."""

    async def write(self, source: NoteSource, bill: Bill) -> WrittenNote:
        """Have the note written as configured; `bill` tells what each call costs, as it goes.

        Raises:
            SummaryError: it failed, or (in `auto`) it was advised against.
        """
        ...

    def extract(self, source: NoteSource) -> WrittenNote:
        """Write the note without any model."""
        ...
