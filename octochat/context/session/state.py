"""Where a session stands: the fold of its log. Nothing else remembers anything."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import ceil

from octochat.context.session import instructions as standing
from octochat.context.session import loaded_tools
from octochat.context.session.active_skills import ActiveSkill, reminded
from octochat.context.session.content import Text, ToolCall, ToolResult
from octochat.context.session.cooldown import marks_after, streak_after
from octochat.context.session.edits import UnitId
from octochat.context.session.events import (
    BlockRefused,
    Condensed,
    Entry,
    Held,
    Hinted,
    HookRan,
    Instructed,
    KeptWarm,
    Knowledge,
    KnowledgeChanged,
    ModelChanged,
    NoteEdited,
    Opened,
    Pinned,
    Prompted,
    Recalled,
    Reminded,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    TaskEnded,
    Titled,
    ToolLoaded,
    ToolsChanged,
    ToolWithdrawn,
    Unpinned,
)
from octochat.context.session.knowledge import merged, without
from octochat.context.session.ledger import Ledger, billed
from octochat.context.session.steering import EffortChanged, ModeChanged
from octochat.context.session.survivors import surviving
from octochat.context.session.units import aside, without_blocks
from octochat.context.session.view import Note, Prompt, ShownResult, Step, View
from octochat.context.session.watermarks import Watermark, Watermarks

__all__ = ["State", "advance", "replay", "surviving"]


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
    instructions: standing.Standing = ()
    tools: loaded_tools.Loaded = ()
    """Those that the model was shown since the session began, and whose notes stand in the view."""
    pins: frozenset[UnitId] = frozenset()
    knowledge: tuple[Knowledge, ...] = ()
    streak: int = 0
    """Compressions at a level, or to make a request fit, since the person last spoke: `k`."""
    watermarks: Watermarks = Watermarks()
    """`W`, and where other tries came to nothing."""
    sent: View = View()
    """The view as it was last sent: what the prompt cache holds, while it is warm."""
    refused: frozenset[str] = frozenset()
    """Kinds of blocks in the model's own replies that the API does not take back."""
    ledger: Ledger = Ledger()

    @property
    def protected(self) -> frozenset[UnitId]:
        """Units that nothing may fold or trim while the model works.

        What is `kept`, the prompt being answered, and the last step's results, which the model has
        not seen before its next reply. (One that was stopped before its first word is none.)
        See docs/architecture.md, laws 5 and 6.
        """
        steps = (unit for unit in reversed(self.view.units) if isinstance(unit, Step))
        last = next((u for u in steps if u.blocks or u.stop != "interrupted"), None)
        unseen = {last.id} if last and last.calls else set[UnitId]()
        unseen |= {tool.unit for tool in self.tools if last is None or tool.unit > last.id}
        asked = set[UnitId]() if self.answering is None else {self.answering}
        return self.kept | unseen | asked

    @property
    def unfinished(self) -> bool:
        """Whether the model still owes an answer; after `/done` it owes none, whatever is left."""
        return self.answering is not None and self.view.unfinished

    @property
    def kept(self) -> frozenset[UnitId]:
        """Units that survive every fold: active skills, instructions, pins, tools in use."""
        skills = {skill.unit for skill in self.skills}
        tools = loaded_tools.in_use(self.tools)
        return self.pins | skills | standing.units_of(self.instructions) | tools


def replay(entries: Sequence[Entry]) -> State:
    """The state that the log leads to."""
    state = reduce(_advanced, surviving(entries), State())
    return replace(state, ledger=reduce(billed, entries, Ledger()))


def advance(state: State, entry: Entry, log: Sequence[Entry]) -> State:
    """The state after one more entry, the last of `log`.

    The same as `replay(log)`, but cheap except after a revert or a rewind.
    """
    if isinstance(entry.event, Rewound | Reverted):
        return replay(log)
    return replace(_advanced(state, entry), ledger=billed(state.ledger, entry))


def _advanced(state: State, entry: Entry) -> State:
    match entry.event:
        case Opened() as event:
            view = View(event.system, event.tools, entry.size)
            return replace(
                state,
                model=event.model,
                folder=event.folder,
                view=view,
                context=entry.size,
                instructions=standing.opened_with(event.system),
            )
        case Prompted(blocks=blocks):
            return _prompted(state, Prompt(entry.id, blocks, entry.size))
        case Replied() as event:
            return _replied(state, entry, event)
        case BlockRefused(block=kind):
            units = tuple(without_blocks(unit, {kind}) for unit in state.view.units)
            view = replace(state.view, units=units)
            return replace(state, view=view, refused=state.refused | {kind})
        case Returned(call_id=call_id, content=content, failed=failed):
            answer = ShownResult(ToolResult(call_id, content, failed), entry.size)
            view = state.view.answer(answer)
            return _grown(state, view, 0 if view is state.view else entry.size)
        case Recalled() | Instructed() | Reminded() as event:
            return _told(state, entry, event)
        case SkillLoaded() | SkillForgotten() | TaskEnded() | Pinned() | Unpinned():
            return _marked(state, entry)
        case Condensed() as event:
            return _condensed(state, entry, event)
        case Held(watermark=size) as event:
            return state if size is None else _held(state, event, Watermark(size, "hold"))
        case Reverted(condensed=condensed, after=after, watermark=mark):
            # `streak` is already the one without the reverted compression. What was sent last had
            # it: of what is shown now, the cache holds the beginning at most.
            sent = replace(state.sent, units=())
            marks = Watermarks(Watermark(mark, "restore"))
            view = state.view.unbound(condensed)
            return replace(state, view=view, context=after, watermarks=marks, sent=sent)
        case KnowledgeChanged(entries=known):
            return replace(state, knowledge=known)
        case NoteEdited(note=note, text=text):
            view = state.view.rewritten(note, text, entry.size)
            grown = view.size - state.view.size
            return replace(state, view=view, context=max(state.context + grown, 0))
        case ModelChanged(model=model, scale=scale):
            return _handed(state, model, scale)
        case ModeChanged() | EffortChanged() as event:
            return _grown(state, state.view.steered(entry.id, entry.size, event), entry.size)
        case ToolsChanged() as event:
            return _equipped(state, entry, event)
        case ToolLoaded() | ToolWithdrawn() as event:
            grown = _grown(state, state.view.equipped(entry.id, entry.size, event), entry.size)
            return replace(grown, tools=loaded_tools.after(state.tools, entry.id, event))
        case Titled(title=title):
            return replace(state, title=title)
        case Rewound() | Hinted() | HookRan() | KeptWarm():
            return state


def _told(state: State, entry: Entry, event: Recalled | Instructed | Reminded) -> State:
    """The view with what octochat told the model of its own accord."""
    note = aside(entry.id, entry.size, event)
    told = _grown(state, state.view.add(note), entry.size)
    match event:
        case Instructed():
            now = standing.instructed(state.instructions, entry.id, event)
            return replace(told, instructions=now)
        case Reminded(skill=skill):
            return replace(told, skills=reminded(state.skills, skill))
        case Recalled():
            return told


def _grown(state: State, view: View, tokens: int) -> State:
    return replace(state, view=view, context=state.context + tokens)


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
        view=state.view.add(without_blocks(step, state.refused)),
        context=event.usage.prompt + output if counted else state.context + entry.size,
        answering=state.answering if working else None,
        tools=loaded_tools.used(state.tools, entry.id, step.calls),
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
            skills = (*others, ActiveSkill(name, entry.id, permanent))
            return replace(_grown(state, state.view.add(note), entry.size), skills=skills)
        case SkillForgotten(name=name):
            return replace(state, skills=tuple(s for s in state.skills if s.name != name))
        case TaskEnded():
            permanent = tuple(s for s in state.skills if s.permanent)
            begun = replace(state, streak=0, watermarks=Watermarks(), answering=None)
            lasting = standing.after_task(state.instructions)
            tools = loaded_tools.standing(state.tools, {tool.unit for tool in state.tools})
            return replace(begun, skills=permanent, instructions=lasting, tools=tools)
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
        tools=loaded_tools.standing(state.tools, {unit.id for unit in view.units}),
        streak=streak_after(state.streak, event),
        watermarks=marks_after(state.watermarks, event),
    )


def _equipped(state: State, entry: Entry, event: ToolsChanged) -> State:
    told = standing.opened_with(event.system) if event.system else state.instructions
    view = state.view.redeclared(entry.size, event)
    return replace(_grown(state, view, entry.size - state.view.head), instructions=told)
