"""Where a session stands: the fold of its log. Nothing else remembers anything."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from octochat.context.session.content import Text, ToolCall, ToolResult
from octochat.context.session.edits import UnitId
from octochat.context.session.events import (
    Condensed,
    Entry,
    EntryId,
    Held,
    Hinted,
    KeptWarm,
    Knowledge,
    KnowledgeChanged,
    ModelChanged,
    NoteEdited,
    Opened,
    Pinned,
    Prompted,
    Recalled,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    TaskEnded,
    Titled,
    ToolsChanged,
    Unpinned,
)
from octochat.context.session.knowledge import merged, without
from octochat.context.session.ledger import Ledger, billed
from octochat.context.session.view import Note, Prompt, ShownResult, Step, View
from octochat.context.session.watermarks import Watermark, Watermarks


@dataclass(frozen=True, slots=True)
class ActiveSkill:
    """A skill whose text the model is to keep in mind."""

    name: str
    unit: UnitId
    permanent: bool
    """It survives `/done`."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the session's log says about now."""

    model: str = ""
    folder: str = ""
    title: str = ""
    view: View = View()
    context: int = 0
    """Tokens: what the API billed last, and the sizes of what came after; no safety margin."""
    answering: UnitId | None = None
    """The prompt that the model is working on."""
    skills: tuple[ActiveSkill, ...] = ()
    pins: frozenset[UnitId] = frozenset()
    knowledge: tuple[Knowledge, ...] = ()
    streak: int = 0
    """Compressions at a level, or to make a request fit, since the person last spoke: `k`."""
    watermarks: Watermarks = Watermarks()
    """`W`, and where other tries came to nothing."""
    sent: View = View()
    """The view as it was last sent: what the prompt cache holds, while it is warm."""
    ledger: Ledger = Ledger()

    @property
    def protected(self) -> frozenset[UnitId]:
        """Units that nothing may fold or trim while the model works.

        Active skills, pins, the prompt being answered, and the last step's results, which the model
        has not seen before its next reply. (One that was stopped before its first word is none.)
        See docs/architecture.md, laws 5 and 6.
        """
        steps = (unit for unit in reversed(self.view.units) if isinstance(unit, Step))
        last = next((u for u in steps if u.blocks or u.stop != "interrupted"), None)
        unseen = {last.id} if last and last.calls else set[UnitId]()
        asked = set[UnitId]() if self.answering is None else {self.answering}
        return self.kept | unseen | asked

    @property
    def unfinished(self) -> bool:
        """Whether the model still owes an answer; after `/done` it owes none, whatever is left."""
        return self.answering is not None and self.view.unfinished

    @property
    def kept(self) -> frozenset[UnitId]:
        """Units that survive every fold, `/done` included: active skills and pins."""
        return self.pins | {skill.unit for skill in self.skills}


def replay(entries: Sequence[Entry]) -> State:
    """The state that the log leads to."""
    state = State()
    for entry in surviving(entries):
        state = _advanced(state, entry)
    ledger = Ledger()
    for entry in entries:
        ledger = billed(ledger, entry)
    return replace(state, ledger=ledger)


def advance(state: State, entry: Entry, log: Sequence[Entry]) -> State:
    """The state after one more entry, the last of `log`.

    The same as `replay(log)`, but cheap except after a revert or a rewind.
    """
    if isinstance(entry.event, Rewound | Reverted):
        return replay(log)
    return replace(_advanced(state, entry), ledger=billed(state.ledger, entry))


def surviving(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that no rewind and no revert has undone, reverts themselves included."""
    alive: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, Rewound):
            to = entry.event.to
            alive = [e for e in alive if e.id <= to]
        else:
            alive.append(entry)
    undone: set[EntryId | None] = set()
    for entry in alive:
        if isinstance(entry.event, Reverted):
            folded = entry.event.condensed
            later = (each for each in alive if folded < each.id < entry.id)
            # What was recalled since then stands in the view again.
            again = (each.id for each in later if isinstance(each.event, Recalled))
            undone |= {folded, entry.event.task, *again}
    return [entry for entry in alive if entry.id not in undone]


def _advanced(state: State, entry: Entry) -> State:
    match entry.event:
        case Opened() as event:
            view = View(event.system, event.tools, entry.size)
            return replace(
                state, model=event.model, folder=event.folder, view=view, context=entry.size
            )
        case Prompted(blocks=blocks):
            return _prompted(state, Prompt(entry.id, blocks, entry.size))
        case Replied() as event:
            return _replied(state, entry, event)
        case Returned(call_id=call_id, content=content, failed=failed):
            answer = ShownResult(ToolResult(call_id, content, failed), entry.size)
            view = state.view.answer(answer)
            grown = 0 if view is state.view else entry.size
            return replace(state, view=view, context=state.context + grown)
        case Recalled(text=text):
            note = Note(entry.id, (Text(text),), entry.size, "recalled")
            return replace(state, view=state.view.add(note), context=state.context + entry.size)
        case SkillLoaded() | SkillForgotten() | TaskEnded() | Pinned() | Unpinned():
            return _marked(state, entry)
        case Condensed() as event:
            return _condensed(state, entry, event)
        case Held(watermark=size) as event:
            return state if size is None else _held(state, event, Watermark(size, "hold"))
        case Reverted(after=after, watermark=mark):
            # `streak` is already the one without the reverted compression. What was sent last had
            # it: of what is shown now, the cache holds the beginning at most.
            sent = replace(state.sent, units=())
            marks = Watermarks(Watermark(mark, "restore"))
            return replace(state, context=after, watermarks=marks, sent=sent)
        case KnowledgeChanged(entries=known):
            return replace(state, knowledge=known)
        case NoteEdited(note=note, text=text):
            view = state.view.rewritten(note, text, entry.size)
            grown = view.size - state.view.size
            return replace(state, view=view, context=max(state.context + grown, 0))
        case ModelChanged(model=model, scale=scale):
            return _handed(state, model, scale)
        case ToolsChanged() as event:
            return _equipped(state, entry, event)
        case Titled(title=title):
            return replace(state, title=title)
        case Rewound() | Hinted() | KeptWarm():
            return state


def _prompted(state: State, prompt: Prompt) -> State:
    """The person spoke: `k` is 0; `W` goes after a compression and stays after anything else."""
    return replace(
        state,
        view=state.view.add(prompt),
        context=state.context + prompt.size,
        answering=prompt.id,
        streak=0,
        watermarks=state.watermarks.after_prompt,
    )


def _replied(state: State, entry: Entry, event: Replied) -> State:
    if event.void:
        return replace(state, sent=state.view)
    step = Step(
        entry.id, event.blocks, entry.size, (), event.stop, event.model or state.model, event.digest
    )
    working = event.stop == "tool_use" and any(isinstance(b, ToolCall) for b in event.blocks)
    counted = bool(event.usage.context) and event.usage.plausible(state.context)
    # Of an interrupted answer only the beginning was announced; what came of it is in the view.
    output = max(event.usage.output, entry.size if event.stop == "interrupted" else 0)
    return replace(
        state,
        view=state.view.add(step),
        context=event.usage.prompt + output if counted else state.context + entry.size,
        answering=state.answering if working else None,
        sent=state.view if event.usage.context else state.sent,
    )


def _held(state: State, event: Held, mark: Watermark) -> State:
    """Growth is measured from here: for the strategy, or for all where the request had to fit."""
    own = event.trigger == "auto"
    marks = state.watermarks.marked(event.by, mark) if own else Watermarks(mark)
    return replace(state, watermarks=marks)


def _handed(state: State, model: str, scale: float) -> State:
    """Another model goes on: every size as it counts, and nothing in its cache."""
    return replace(
        state,
        model=model,
        view=state.view.scaled(scale),
        context=ceil(state.context * scale),
        watermarks=state.watermarks.scaled(scale),
        sent=View(),
    )


def _marked(state: State, entry: Entry) -> State:
    match entry.event:
        case SkillLoaded(name=name, body=body, permanent=permanent):
            note = Note(entry.id, (Text(body),), entry.size, "skill", skill=name)
            others = tuple(s for s in state.skills if s.name != name)
            return replace(
                state,
                view=state.view.add(note),
                context=state.context + entry.size,
                skills=(*others, ActiveSkill(name, entry.id, permanent)),
            )
        case SkillForgotten(name=name):
            return replace(state, skills=tuple(s for s in state.skills if s.name != name))
        case TaskEnded():
            permanent = tuple(s for s in state.skills if s.permanent)
            begun = replace(state, streak=0, watermarks=Watermarks(), answering=None)
            return replace(begun, skills=permanent)
        case Pinned(unit=unit):
            return replace(state, pins=state.pins | {unit})
        case Unpinned(unit=unit):
            return replace(state, pins=state.pins - {unit})
        case _:
            return state


def _condensed(state: State, entry: Entry, event: Condensed) -> State:
    view = state.view.trimmed(event.trims)
    if event.fold:
        view = view.folded(event.fold, entry.id, entry.size, state.answering)
    return replace(
        state,
        view=view,
        context=max(state.context - (event.before - event.after), 0),
        knowledge=merged(without(state.knowledge, event.outdated), event.learned),
        streak=_streak(state.streak, event),
        watermarks=_marks(state.watermarks, event),
    )


def _streak(streak: int, event: Condensed) -> int:
    """Compressions at a level count, and those that made a request fit; `/done` begins anew."""
    fitted = event.trigger == "overflow" and bool(event.writer)
    return 0 if event.trigger == "done" else streak + (event.level is not None or fitted)


def _marks(marks: Watermarks, event: Condensed) -> Watermarks:
    """After a compression growth is measured from the size that it left."""
    mark = Watermark(event.after, "compression")
    if event.trigger == "done":
        return Watermarks()
    if event.trigger in ("overflow", "compact") and event.writer:
        return Watermarks(mark)
    return marks.without(event.by) if event.level is None else marks.marked(event.by, mark)


def _equipped(state: State, entry: Entry, event: ToolsChanged) -> State:
    view = replace(
        state.view,
        tools=event.tools,
        system=event.system or state.view.system,
        head=entry.size,
    )
    return replace(state, view=view, context=state.context + entry.size - state.view.head)
