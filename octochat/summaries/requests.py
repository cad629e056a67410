"""The requests for a summary, by the two ways to pay for it.

A transcript for another model, or one more instruction in the conversation's own warm cache.
"""

from dataclasses import replace
from typing import TypeAlias

from octochat.config.compression import DecisionModel
from octochat.context.economics.worth import INSTRUCTION
from octochat.context.notes.extractive import worths
from octochat.context.notes.fitting import Measure, cut
from octochat.context.notes.transcript import transcript
from octochat.context.plans.note_source import NoteSource
from octochat.context.session.content import Message, Text, plain_text
from octochat.context.session.events import Knowledge
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

Known: TypeAlias = tuple[Knowledge, ...]
"""What the session has learned and keeps."""


def by_transcript(
    source: NoteSource,
    known: Known,
    info: ModelInfo,
    decision: DecisionModel,
    measure: Measure,
) -> Request:
    """For a model that has not seen the conversation: the units as text, cut to its window."""
    answer = min(decision.max_tokens, info.max_output)
    room = int((info.window - answer) * _ROOM) - INSTRUCTION
    text = transcript(source.units, room, measure, worths(source.originals))
    what = (
        "The older part is the transcript between the tags; what came after it stays as it is."
        if source.behind
        else "The transcript between the tags is the conversation so far."
    )
    return Request(
        model=info.name,
        system=_instruction(source, known, what),
        tools=(),
        messages=(Message("user", (Text(tagged(TRANSCRIPT, text)),)),),
        max_tokens=answer,
        schema=None if source.request.style == "paragraph" else SCHEMA,
        temperature=decision.temperature if decision.top_p == 1.0 else None,
        top_p=decision.top_p if decision.top_p < 1.0 else None,
        top_k=decision.top_k or None,
    )


def by_instruction(
    source: NoteSource, known: Known, info: ModelInfo, decision: DecisionModel
) -> Request:
    """For the conversation's own model: the very request that it would get, and one text more.

    Same system, same tools, same messages, so it is read from the cache; no schema, which would
    make it another prefix.
    """
    made = drafted(source.situation.state, _terms(info, decision))
    asked = _instruction(source, known, _place(source.behind)) + (
        "\n\nThis message comes from octochat, not from the person. Do not go on with the work "
        "and do not call any tool: only answer as described."
    )
    return replace(made, messages=_appended(made.messages, asked))


def by_compaction(source: NoteSource, info: ModelInfo, decision: DecisionModel) -> Request:
    """For the API's own compaction: the conversation up to the last of the units, nothing added."""
    state = source.situation.state
    older = state.view.split(state.view.units[0].id, source.request.last)[1]
    shown = replace(state, view=replace(state.view, units=older))
    return replace(drafted(shown, _terms(info, decision)), compaction=True)


def _terms(info: ModelInfo, decision: DecisionModel) -> Terms:
    return Terms(info, min(decision.max_tokens, info.max_output), 0)


def _instruction(source: NoteSource, known: Known, what: str) -> str:
    request = source.request
    focus = f"\nAttend above all to this: {request.focus}\n" if request.focus.strip() else ""
    if request.style == "paragraph":
        return prompt("summarise", range=what, tokens=str(request.budget), focus=focus)
    lines = "".join(f"\n- {entry.kind}: {entry.text}" for entry in known)
    told = f"\nKnown already:{escaped(lines)}\n" if lines else ""
    tokens = str(request.budget // 2)
    return prompt("compress", range=what, tokens=tokens, focus=focus, known=told)


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
