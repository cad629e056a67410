"""The requests for a summary, by the two ways to pay for it.

A transcript for another model, or one more instruction in the conversation's own warm cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from octochat.config.compression import DecisionModel
from octochat.context.economics.worth import INSTRUCTION
from octochat.context.notes.extractive import worths
from octochat.context.notes.fitting import Measure, cut
from octochat.context.notes.note import originals
from octochat.context.notes.transcript import transcript
from octochat.context.plans.runs import Run
from octochat.context.session.content import Message, Text, plain_text
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry, Knowledge
from octochat.context.session.state import State
from octochat.context.session.tags import TRANSCRIPT, escaped, tagged
from octochat.context.session.view import Note, Prompt, Step, Unit
from octochat.engine.ask import Terms, drafted
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Request
from octochat.summaries.answers import SCHEMA
from octochat.summaries.prompts import prompt

_ROOM = 0.9
"""Share of a window that is used: its tokens are counted with another model's ruler."""
_ANCHOR = 160
"""Characters by which a message is pointed at."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be summed up, and how."""

    state: State
    run: Run
    entries: Sequence[Entry]
    """The log, what was undone left out."""
    style: str
    budget: int
    """Tokens for the whole note."""
    focus: str
    known: tuple[Knowledge, ...]


def by_transcript(
    wish: Wish, info: ModelInfo, decision: DecisionModel, measure: Measure
) -> Request:
    """For a model that has not seen the conversation: the run as text, cut to its window."""
    answer = min(decision.max_tokens, info.max_output)
    room = int((info.window - answer) * _ROOM) - INSTRUCTION
    values = worths(originals(wish.entries, wish.run.covers))
    text = transcript(wish.run.units, room, measure, values)
    what = (
        "The older part is the transcript between the tags; what came after it stays as it is."
        if wish.run.next
        else "The transcript between the tags is the conversation so far."
    )
    return Request(
        model=info.name,
        system=_instruction(wish, what),
        tools=(),
        messages=(Message("user", (Text(tagged(TRANSCRIPT, text)),)),),
        max_tokens=answer,
        schema=None if wish.style == "plain" else SCHEMA,
        temperature=decision.temperature,
    )


def by_instruction(wish: Wish, info: ModelInfo, decision: DecisionModel) -> Request:
    """For the conversation's own model: the very request that it would get, and one text more.

    Same system, same tools, same messages, so it is read from the cache; no schema, which would
    make it another prefix.
    """
    made = drafted(wish.state, Terms(info, min(decision.max_tokens, info.max_output), 0))
    asked = _instruction(wish, _place(wish.run.next)) + (
        "\n\nThis message comes from octochat, not from the person. Do not go on with the work "
        "and do not call any tool: only answer as described."
    )
    return replace(made, messages=_appended(made.messages, asked))


def by_compaction(wish: Wish, info: ModelInfo, decision: DecisionModel, last: UnitId) -> Request:
    """For the API's own compaction: the conversation up to the unit `last`, nothing added."""
    view = wish.state.view
    before, run, _ = view.split(view.units[0].id, last)
    state = replace(wish.state, view=replace(view, units=(*before, *run)))
    made = drafted(state, Terms(info, min(decision.max_tokens, info.max_output), 0))
    return replace(made, compaction=True)


def _instruction(wish: Wish, what: str) -> str:
    focus = f"\nAttend above all to this: {wish.focus}\n" if wish.focus.strip() else ""
    if wish.style == "plain":
        return prompt("summarise", range=what, tokens=str(wish.budget), focus=focus)
    lines = "".join(f"\n- {entry.kind}: {entry.text}" for entry in wish.known)
    known = f"\nKnown already:{escaped(lines)}\n" if lines else ""
    tokens = str(wish.budget // 2)
    return prompt("compress", range=what, tokens=tokens, focus=focus, known=known)


def _place(behind: Unit | None) -> str:
    if behind is None:
        return "The part to be replaced is the whole conversation above."
    words = f' that begins with "{_words(behind)}"' if _words(behind) else " with the latest work"
    return (
        f"The older part is everything above the message{words}; from there on the conversation "
        "stays as it is, and you need not repeat what it says."
    )


def _words(unit: Unit) -> str:
    match unit:
        case Prompt(blocks=blocks) | Note(blocks=blocks):
            text = plain_text(blocks)
        case Step(blocks=blocks, calls=calls):
            text = plain_text(blocks) or ", ".join(f"a call of {call.name}" for call in calls)
    return cut(" ".join(text.split()), _ANCHOR)


def _appended(messages: tuple[Message, ...], text: str) -> tuple[Message, ...]:
    block = Text(text)
    if messages and messages[-1].role == "user":
        return (*messages[:-1], Message("user", (*messages[-1].blocks, block)))
    return (*messages, Message("user", (block,)))
