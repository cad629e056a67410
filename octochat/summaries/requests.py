"""The requests for a summary, by the two ways to pay for it.

A transcript for another model, or one more instruction in the conversation's own warm cache.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeAlias

from octochat.config.compression import DecisionModel
from octochat.context.economics.worth import INSTRUCTION
from octochat.context.notes.extractive import important, worths
from octochat.context.notes.fitting import Measure, cut
from octochat.context.notes.overview import overview
from octochat.context.notes.transcript import prompt_text, transcript
from octochat.context.plans.note_source import NoteSource
from octochat.context.session.content import Message, Text, plain_text
from octochat.context.session.edits import NoteStyle
from octochat.context.session.events import Knowledge
from octochat.context.session.tags import STAYING, TRANSCRIPT, escaped, tagged
from octochat.context.session.view import Note, Prompt, Step, Unit
from octochat.engine.ask import Terms, drafted
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Request
from octochat.summaries.answers import OUTCOME_SCHEMA, SCHEMA
from octochat.summaries.prompts import prompt

_ROOM = 0.9
"""Share of a window that is used: its tokens are counted with another model's ruler."""
_ANCHOR = 160
"""Characters by which a message is pointed at."""

_STAYING = 0.25
"""Share of the room of a transcript that the newer part may take, the current request in it."""
_LINE = 200
"""Characters of what is said in a line that stands for a message of the newer part."""
_POINTER = 50
"""The same where the line only tells the number of a message that the model has before it."""
_POINTERS = 2_000
"""Tokens of all these numbers."""
_IMPORTANT = 12
"""How many messages of the range are pointed out."""
_NEAR = 1.5
"""What a plain summary's answer may have for a token of its budget: tokenizers differ."""
_THINKING = 2_000
"""Tokens that a model may think before a plain summary."""

_FORMS: Mapping[NoteStyle, tuple[str, Mapping[str, object] | None]] = {
    "work": ("compress", SCHEMA),
    "server": ("compress", SCHEMA),
    "outcome": ("done", OUTCOME_SCHEMA),
    "paragraph": ("summarise", None),
}
"""For each style of note, the prompt and the form of the answer."""

Known: TypeAlias = tuple[Knowledge, ...]
"""What the session has learned and keeps."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a request for a note says besides the conversation."""

    known: Known = ()
    guidance: str = ""
    """What the person wants of every note: the configuration's, and the project's."""


def by_transcript(
    source: NoteSource,
    wanted: Wanted,
    info: ModelInfo,
    decision: DecisionModel,
    measure: Measure,
) -> Request:
    """For a model that has not seen the conversation: the units as text, cut to its window."""
    answer = _longest(source, info, decision, thinks=not info.takes_sampling)
    room = int((info.window - answer) * _ROOM) - INSTRUCTION
    newer = _newer(source, int(room * _STAYING), measure)
    left = room - measure(newer)
    text = transcript(source.units, left, measure, worths(source.originals), source.uncut)
    older = (
        "The older part is the transcript between the tags. "
        f"What is between the tags <{STAYING}> came after it and stays in the conversation as it "
        "is: the request being worked on, and a line for each message. Do not summarise it."
        if newer
        else "The transcript between the tags is the conversation so far."
    )
    body = "\n\n".join(filter(None, (tagged(TRANSCRIPT, text), newer)))
    return Request(
        model=info.name,
        system=_instruction(source, wanted, older),
        tools=(),
        messages=(Message("user", (Text(body),)),),
        max_tokens=answer,
        schema=_FORMS[source.request.style][1],
        temperature=decision.temperature if decision.top_p == 1.0 else None,
        top_p=decision.top_p if decision.top_p < 1.0 else None,
        top_k=decision.top_k or None,
    )


def _newer(source: NoteSource, room: int, measure: Measure) -> str:
    """The request being worked on, whole, and a line for each message behind what goes."""
    current = source.working_on
    asked = (
        f"[the request being worked on, #{current.id}]\n{prompt_text(current)}" if current else ""
    )
    if (size := measure(asked)) > room:
        asked = cut(asked, len(asked) * room // size)
    others = tuple(unit for unit in source.staying if unit is not current)
    lines = overview(others, _LINE, max(room - measure(asked), 0), measure)
    told = "\n\n".join(filter(None, (asked, lines and f"[the newer messages]\n{lines}")))
    return tagged(STAYING, told) if told else ""


def by_instruction(
    source: NoteSource,
    wanted: Wanted,
    info: ModelInfo,
    decision: DecisionModel,
    measure: Measure,
) -> Request:
    """For the conversation's own model: the very request that it would get, and one text more.

    Same system, same tools, same messages, so it is read from the cache; no schema, which would
    make it another prefix.
    """
    made = drafted(source.situation.state, _terms(info, decision))
    thinks = info.thinking != "none"
    if info.thinking != "budget":  # there the longest answer bounds it, and so is in the prefix
        made = replace(made, max_tokens=_longest(source, info, decision, thinks=thinks))
    asked = _instruction(source, wanted, _place(source, measure)) + (
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


def _longest(source: NoteSource, info: ModelInfo, decision: DecisionModel, *, thinks: bool) -> int:
    """The most tokens that the answer may take: those of a plain summary are near its budget."""
    most = min(decision.max_tokens, info.max_output)
    if source.request.style != "paragraph":
        return most
    return min(most, ceil(source.request.budget * _NEAR) + (_THINKING if thinks else 0))


def _terms(info: ModelInfo, decision: DecisionModel) -> Terms:
    return Terms(info, min(decision.max_tokens, info.max_output), 0)


def _instruction(source: NoteSource, wanted: Wanted, what: str) -> str:
    request = source.request
    what += _important(source)
    focus = f"\nAttend above all to this: {request.focus}\n" if request.focus.strip() else ""
    said = wanted.guidance.strip()
    guidance = f"\nThe person wants of every summary:\n\n{escaped(said)}\n" if said else ""
    if request.style == "paragraph":
        tokens = str(request.budget)
        return prompt("summarise", range=what, tokens=tokens, guidance=guidance, focus=focus)
    lines = "".join(f"\n{n}. {x.kind}: {x.text}" for n, x in enumerate(wanted.known, 1))
    told = f"\nKnown already:{escaped(lines)}\n" if lines else ""
    return prompt(
        _FORMS[request.style][0],
        range=what,
        tokens=str(request.answer),
        guidance=guidance,
        focus=focus,
        known=told,
    )


def _important(source: NoteSource) -> str:
    """Which messages matter most and belong together, by the scores of the notes without model."""
    groups = important(source.originals, _IMPORTANT)
    if not groups:
        return ""
    told = (", ".join(f"#{number}" for number in group) for group in groups)
    listed = ", ".join(f"({each})" if "," in each else each for each in told)
    return (
        "\n\nBy a rough score (what is recent, decides, binds or failed, and the tools used) these "
        f"of its messages matter most; those in brackets work on the same files: {listed}."
    )


def _place(source: NoteSource, measure: Measure) -> str:
    """Where the part is that goes, and the numbers of its messages, which the model can't see."""
    behind = source.behind
    if behind is None:
        where = "The part to be replaced is the whole conversation above."
    else:
        words = (
            f' that begins with "{_words(behind)}"' if _words(behind) else " with the latest work"
        )
        where = (
            f"The older part is everything above the message{words}; from there on the "
            "conversation stays as it is, and you need not repeat what it says."
        )
    if source.request.style == "paragraph":
        return where
    numbers = overview(source.units, _POINTER, _POINTERS, measure)
    listed = f"{where} Its messages by number:\n\n{numbers}" if numbers else where
    uncut = [source.uncut[unit.id] for unit in source.units if unit.id in source.uncut]
    said = "".join(f"\n\nThe earlier summary, before it was cut to fit:\n\n{x}" for x in uncut)
    return listed + escaped(said)


def _words(unit: Unit) -> str:
    match unit:
        case Prompt(blocks=blocks) | Note(blocks=blocks):
            text = plain_text(blocks)
        case Step(blocks=blocks, calls=calls):
            text = plain_text(blocks) or ", ".join(f"a call of {call.name}" for call in calls)
    return cut(" ".join(text.split()), _ANCHOR)


def _appended(messages: tuple[Message, ...], text: str) -> tuple[Message, ...]:
    block = Text(text)
    if messages and messages[-1].role == "system":  # what follows it could only be a reply
        messages = messages[:-1]
    if messages and messages[-1].role == "user":
        return (*messages[:-1], Message("user", (*messages[-1].blocks, block)))
    return (*messages, Message("user", (block,)))
