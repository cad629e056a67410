"""What a person does to the conversation as a whole: `/done`, `/compact`, `/restore`, `/undo`."""

from contextlib import aclosing
from dataclasses import replace

from octochat.context.plans.ranges import TAIL_TURNS, choose, of_a_task_that_is_done
from octochat.context.session.content import Text
from octochat.context.session.edits import Plan, UnitId
from octochat.context.session.events import (
    Condensed,
    Entry,
    NoteEdited,
    Pinned,
    Prompted,
    Reverted,
    Rewound,
    TaskEnded,
    Trigger,
    Unpinned,
)
from octochat.context.session.state import replay
from octochat.context.session.survivors import newest_first
from octochat.context.session.tags import WORK, tagged, untagged
from octochat.context.session.view import Note, View
from octochat.engine.compress import Compressor
from octochat.engine.loop import Engine
from octochat.engine.ports import LiveSession, Stream
from octochat.models.port import Notice


async def done(
    engine: Engine, compressor: Compressor, text: str = "", *, keep_turns: int
) -> Stream:
    """End the task: one note instead of the history, and a clean slate for the next one.

    Whatever thresholds, cooldown, floor and economics say ("Forced (/done)"). Skills activated by
    hand are dropped. `text`, if any, is the next prompt.

    Args:
        engine: the session; its turn must be over.
        compressor: carries the fold out.
        text: what to go on with.
        keep_turns: `done_keep_turns`, the turns that stay as they are.
    """
    engine.stopper.begin()
    if engine.state.view.units:
        yield engine.append(TaskEnded())
    stream = _fold_all(engine, compressor, "done", keep_turns, "")
    async with aclosing(stream):
        async for item in stream:
            yield item
    if text.strip():
        turn = engine.turn((Text(text),))
        async with aclosing(turn):
            async for item in turn:
                yield item


async def compact(session: LiveSession, compressor: Compressor, focus: str = "") -> Stream:
    """Compress now, in mid-task: the last turns and all active skills stay."""
    session.stopper.begin()
    stream = _fold_all(session, compressor, "compact", TAIL_TURNS, focus)
    async with aclosing(stream):
        async for item in stream:
            yield item


async def _fold_all(
    session: LiveSession, compressor: Compressor, trigger: Trigger, tail: int, focus: str
) -> Stream:
    state = session.state
    why = "the task is done" if trigger == "done" else "you asked for it"
    request = choose(
        state.view.units,
        state.kept if trigger == "done" else state.protected,
        excess=state.view.size,
        tail=tail,
        note_max=compressor.rules.note_max,
    )
    if request is None:
        yield Notice("There is nothing to compress.")
        return
    if session.spent:
        yield Notice(
            f"{session.spent} So the note is written without a model. To have a model write it, "
            "raise the limit with /max-cost DOLLARS, take this back with /restore, and try again.",
            "warning",
        )
    wanted = of_a_task_that_is_done(request) if trigger == "done" else request
    plan = Plan(why, replace(wanted, focus=focus))
    async with aclosing(compressor.carry_out(session, plan, trigger, trigger)) as stream:
        async for item in stream:
            yield item


def restore(session: LiveSession, compressor: Compressor) -> Entry | None:
    """Take back the last compression, and the `TaskEnded` with it if it was a `/done`.

    Returns:
        The `Reverted` entry, or None where there is no compression to take back.
    """
    alive = session.log.surviving
    made = [entry for entry in alive if isinstance(entry.event, Condensed)]
    if not made:
        return None
    last = made[-1]
    before = alive[: alive.index(last)]
    ended = [entry.id for entry in before if isinstance(entry.event, TaskEnded)]
    forced = isinstance(last.event, Condensed) and last.event.trigger == "done"
    event = Reverted(last.id, ended[-1] if forced and ended else None, after=0)
    state = session.state
    trial = replay([*session.log.entries, Entry(last.id + 1, 0.0, 0, event)])
    after = max(state.context + trial.view.size - state.view.size, 0)
    return session.append(replace(event, after=after, watermark=after + compressor.rules.margin))


def edit_note(session: LiveSession, note: UnitId, text: str) -> Entry | None:
    """Show the model another text in place of a note; None where there is no such note.

    It is an event of its own: `/restore` of the fold takes the note back, whatever it says.
    """
    found = editable(session.state.view, note)
    if found is None or not text.strip():
        return None
    framed = untagged(found) != found
    return session.append(NoteEdited(note, tagged(WORK, text) if framed else text))


def editable(view: View, note: UnitId) -> str | None:
    """What a note says, tags and all; None where it is none, or one that the API signed."""
    unit = view.unit(note)
    if not isinstance(unit, Note) or unit.kind != "summary":
        return None
    texts = [block.text for block in unit.blocks if isinstance(block, Text)]
    return "\n".join(texts) if len(texts) == len(unit.blocks) else None


def undo(session: LiveSession) -> tuple[Entry, Prompted] | None:
    """Take back the last prompt and all that followed; what it cost stays on the bill.

    Returns:
        The `Rewound` entry and what had been said, or None where nothing was said.
    """
    for entry in newest_first(session.log.entries):
        if isinstance(entry.event, Prompted):
            return session.append(Rewound(entry.id - 1)), entry.event
    return None


def rewind(session: LiveSession, prompt: UnitId) -> tuple[Entry, Prompted] | None:
    """Take back the prompt with this id, and all that followed."""
    for entry in session.log.surviving:
        if entry.id == prompt and isinstance(entry.event, Prompted):
            return session.append(Rewound(entry.id - 1)), entry.event
    return None


def pin(session: LiveSession, unit: UnitId) -> Entry | None:
    """Keep a unit through every fold; None where the view has no such unit."""
    return session.append(Pinned(unit)) if session.state.view.unit(unit) else None


def unpin(session: LiveSession, unit: UnitId) -> Entry | None:
    """Let a pinned unit go; None where it is not pinned."""
    return session.append(Unpinned(unit)) if unit in session.state.pins else None
