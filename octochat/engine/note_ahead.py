"""A note that is written in the background, before anybody waits for it: one at a time, at most.

It is awaited or discarded where a fold wants a note; what was written for nothing is billed.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from octochat.context.plans.ahead import reusable, wanted_soon
from octochat.context.plans.note_source import NoteSource
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy
from octochat.context.session.edits import NoteRequest, UnitId
from octochat.context.session.events import Entry, Held
from octochat.context.session.state import State
from octochat.context.session.view import Note
from octochat.engine.note_writer import Bill, NoteWriter, WrittenNote


@dataclass(frozen=True, slots=True)
class BegunNote:
    """A note under way, or written."""

    by: str
    """The strategy that will want it."""
    source: NoteSource
    covers: tuple[UnitId, ...]
    """The units of the view that it stands for."""
    bill: Bill
    task: asyncio.Task[WrittenNote]
    begun: float
    """Seconds since the epoch."""


@dataclass
class NoteAhead:
    """Whether a note is being written ahead, and which."""

    share: float
    """From which share of the size at which it is needed it is begun; 1: never."""
    writer: NoteWriter
    between_turns: bool = False
    """Notes are also begun and written while no turn goes on: the front end stays awake then."""
    _note: BegunNote | None = None
    _looked: State | None = field(default=None, repr=False)
    """The state for which it was last asked: there is another one for every entry of the log."""

    @property
    def under_way(self) -> bool:
        """Whether a note is being written, or is written and not used."""
        return self._note is not None

    @property
    def writing(self) -> bool:
        """Whether one is being written that is not whole yet."""
        return self._note is not None and not self._note.task.done()

    def due(self, state: State) -> bool:
        """Whether to look if a note will be needed soon: once for every state, at most."""
        looked, self._looked = self._looked, state
        idle = self.share < 1 and self._note is None and state is not looked
        return idle and (self.between_turns or (state.unfinished and state.view.mid_turn))

    def begin(
        self, situation: Situation, strategies: Iterable[Strategy], log: Sequence[Entry]
    ) -> None:
        """Begin a note if a strategy will want one soon. Needs a running loop."""
        soon = wanted_soon(situation, strategies, self.share) if situation.writers else None
        if soon is None:
            return
        by, request = soon
        source, bill = NoteSource(situation, request, tuple(log)), Bill()
        task = asyncio.create_task(self.writer.write(source, bill))
        task.add_done_callback(_heard)
        covers = tuple(unit.id for unit in source.units)
        self._note = BegunNote(by, source, covers, bill, task, situation.now)

    def take(
        self, state: State, by: str, plan: NoteRequest
    ) -> tuple[BegunNote, NoteRequest] | None:
        """The note for a plan and the range that it stands for; None where there is none for it."""
        note = self._note
        if (
            note is None
            or note.by != by
            or note.source.situation.state.knowledge != state.knowledge
        ):
            return None
        if any(state.view.unit(u.id) != u for u in note.source.units if isinstance(u, Note)):
            return None  # the person has rewritten it meanwhile
        request = reusable(state, note.source.request, note.covers, plan)
        if request is None:
            return None
        self._note = None
        return note, request

    async def discard(self, why: str, *, ignored: bool, now: float) -> Held | None:
        """Give the note up that is under way or written; the event that bills it, if it cost."""
        note, self._note = self._note, None
        if note is None:
            return None
        note.task.cancel()
        await asyncio.wait([note.task])
        if not note.bill.usage.context:
            return None
        return Held(
            note.by,
            f"a note was written ahead for nothing: {why}",
            trigger="ahead",
            writer=note.bill.writer,
            usage=note.bill.usage,
            cost=note.bill.cost,
            ignored=ignored,
            seconds=max(now - note.begun, 0.0),
        )


def _heard(task: asyncio.Task[WrittenNote]) -> None:
    """Take note of the error of a task that nobody may await any more."""
    if not task.cancelled():
        task.exception()
