"""What a note is written from, and the note that code alone makes of it."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from octochat.context.notes.extractive import extractive_note, paragraph
from octochat.context.notes.fitting import Measure
from octochat.context.notes.note import one_paragraph, originals
from octochat.context.notes.requests import user_requests
from octochat.context.notes.sections import Sections, secured, written_by_a_model
from octochat.context.plans.ranges import going
from octochat.context.plans.situation import Situation
from octochat.context.session.content import plain_text
from octochat.context.session.edits import NoteRequest, UnitId
from octochat.context.session.events import Condensed, Entry, EntryId, Knowledge, NoteEdited
from octochat.context.session.view import Note, Prompt, Unit, Units, covered

_SENTENCE = 25
"""Tokens that a sentence takes, about."""


@dataclass(frozen=True)
class NoteSource:
    """The units that a note will stand for, their originals, and the session around them."""

    situation: Situation
    """Its trigger tells who asked: in `auto`, a summariser may advise against it."""
    request: NoteRequest
    log: Sequence[Entry]
    """All of it that nothing has undone, with the originals of what was trimmed or folded."""

    @cached_property
    def units(self) -> Units:
        """The units that go.

        Raises:
            ValueError: the view has no such range.
        """
        return going(self.situation.state, self.request, self.situation.trigger)

    @cached_property
    def covers(self) -> tuple[UnitId, ...]:
        """The original units that they stand for, oldest first."""
        return tuple(sorted({original for unit in self.units for original in covered(unit)}))

    @cached_property
    def originals(self) -> tuple[Entry, ...]:
        """What was said and done in them, as it was logged."""
        return originals(self.log, self.covers)

    @property
    def logged(self) -> frozenset[EntryId]:
        """The numbers of the originals, those of results included."""
        return frozenset(entry.id for entry in self.originals)

    @cached_property
    def staying(self) -> Units:
        """The units that stay, those among and behind the ones that go, in order."""
        gone = {unit.id for unit in self.units}
        return tuple(unit for unit in self.situation.state.view.units if unit.id not in gone)

    @property
    def working_on(self) -> Prompt | None:
        """The request that is being worked on, if it stays."""
        prompts = [unit for unit in self.staying if isinstance(unit, Prompt)]
        answering = self.situation.state.answering
        return next((p for p in prompts if p.id == answering), prompts[-1] if prompts else None)

    @cached_property
    def earlier(self) -> str:
        """What the summaries among the units said, as written and not as cut to fit."""
        notes = (unit for unit in self.units if isinstance(unit, Note) and unit.kind == "summary")
        return "\n\n".join(self.uncut.get(unit.id) or plain_text(unit.blocks) for unit in notes)

    @cached_property
    def uncut(self) -> Mapping[UnitId, str]:
        """What a model answered for notes that go and had no room for all of it, by the note."""
        notes = {unit.id for unit in self.units if isinstance(unit, Note)}
        if not notes:
            return {}
        first = bisect_left(self.log, min(notes), key=attrgetter("id"))
        since = self.log[first:]
        as_written = notes - {e.event.note for e in since if isinstance(e.event, NoteEdited)}
        made = {e.id: e.event.answer for e in since if isinstance(e.event, Condensed)}
        return {note: made[note] for note in as_written if made.get(note)}

    @property
    def ended(self) -> bool:
        """The note is of a task that is done."""
        return self.request.style == "outcome"

    @property
    def size(self) -> int:
        """Tokens of the units that go."""
        return sum(unit.size for unit in self.units)

    @property
    def behind(self) -> Unit | None:
        """The first unit that stays behind them; None where nothing does."""
        last = self.units[-1].id if self.units else self.request.last
        units = self.situation.state.view.units
        place = [unit.id for unit in units].index(last) + 1
        return units[place] if place < len(units) else None


def _lasting(source: NoteSource, measure: Measure) -> Sections:
    """What a model found out earlier, but for what was open then, as far as half a note goes."""
    found = written_by_a_model(source.earlier)
    lasting = (line for line in found if line.title not in ("Open questions", "Next steps"))
    return secured(tuple(lasting), source.request.answer, measure)


def without_model(source: NoteSource, knowledge: tuple[Knowledge, ...], measure: Measure) -> str:
    """The note that code writes, by the style and within the budget that were asked for."""
    budget = source.request.budget
    if source.request.style != "paragraph":
        return extractive_note(
            source.originals,
            source.covers,
            knowledge,
            budget,
            measure,
            ended=source.ended,
            earlier=_lasting(source, measure),
        )
    said = paragraph(source.originals, max(budget // _SENTENCE, 3))
    said = said or " ".join(request.text for request in user_requests(source.originals))
    return one_paragraph(said or "nothing that needs to be known.", budget, measure)
