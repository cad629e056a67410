"""A run of units as text, for a model that was not there: tool results cut to head and tail."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from octochat.context.notes.fitting import Measure, cut, longest
from octochat.context.session.content import Block, Image, Opaque, Said, Text, Thinking, ToolCall
from octochat.context.session.tags import escaped
from octochat.context.session.view import Note, Prompt, Step, Unit, Units

RESULT = 3_500
"""Characters of one tool result that are read: about 1,000 tokens."""
ARGUMENT = 600
"""Characters of one argument of a tool call that are read."""
_RESULT_TOKENS = 1_000
"""The same for a whole result, in tokens: what it takes at most."""


def transcript(
    units: Units,
    budget: int,
    measure: Measure,
    worth: Mapping[int, float] | None = None,
    uncut: Mapping[int, str] | None = None,
) -> str:
    """The units in order; where they are more than `budget` tokens, those that are worth most.

    Arguments:
        units: the run, earlier notes included.
        budget: tokens.
        measure: the ruler.
        worth: the value of each unit by its id; units without one count 0, notes always stay.
        uncut: what a note's writer had written, by the note, where the note is less than that.
    """
    values, whole = worth or {}, uncut or {}
    texts = {unit.id: _text(unit, whole.get(unit.id, "")) for unit in units}
    places = {unit.id: place for place, unit in enumerate(units)}

    def value(unit: Unit) -> tuple[bool, float, int]:
        return isinstance(unit, Note), values.get(unit.id, 0.0), places[unit.id]

    def render(some: Sequence[Unit]) -> str:
        kept = {unit.id for unit in some}
        return _joined([texts[unit.id] if unit.id in kept else "" for unit in units])

    return render(longest(sorted(units, key=value, reverse=True), render, budget, measure))


def transcript_size(units: Units) -> int:
    """About how many tokens the transcript of all these units takes."""
    return sum(
        unit.said + sum(min(answer.size, _RESULT_TOKENS) for answer in unit.answers)
        if isinstance(unit, Step)
        else unit.size
        for unit in units
    )


def _joined(texts: Sequence[str]) -> str:
    parts: list[str] = []
    for text in texts:
        if text:
            parts.append(text)
        elif not parts or parts[-1] != _LEFT_OUT:
            parts.append(_LEFT_OUT)
    return "\n\n".join(parts)


_LEFT_OUT = "[left out]"
_UNCUT = "[the same as its writer gave it, before it was cut to fit]"


def _text(unit: Unit, uncut: str) -> str:
    match unit:
        case Note(kind="skill", skill=skill):
            return f"[the skill {skill} was loaded]"
        case Note(kind="recalled" | "reminder" | "instructions"):  # known, or needed no more
            return ""
        case Note(kind="mode" | "effort" | "tool"):
            return ""
        case Note(blocks=blocks):
            said = "\n\n".join(
                filter(None, (_lines(blocks), uncut and f"{_UNCUT}\n{escaped(uncut)}"))
            )
            return f"[summary of what came before]\n{said}"
        case Prompt():
            return f"[person, #{unit.id}]\n{prompt_text(unit)}"
        case Step(blocks=blocks):
            results = [
                f"[result of {call.name}{' (failed)' if result.failed else ''}]\n"
                + escaped(cut(_lines(result.content), RESULT))
                for call, result in zip(unit.calls, unit.results, strict=True)
            ]
            return "\n".join([f"[agent, #{unit.id}]", escaped(_lines(blocks)), *results])


def prompt_text(prompt: Prompt) -> str:
    """What a prompt says, whole; its pictures and documents are named."""
    return escaped(_lines(prompt.blocks))


def _lines(blocks: Sequence[Block | Said]) -> str:
    return "\n".join(line for block in blocks if (line := _line(block)))


def _line(block: Block | Said) -> str:
    match block:
        case Text(text=text) | Thinking(text=text):
            return text.strip()
        case ToolCall(name=name, arguments=arguments):
            return f"[calls {name}] {json.dumps(_short(arguments), ensure_ascii=False)}"
        case Image():
            return "[picture]"
        case Opaque(raw=raw) if isinstance(raw.get("content"), str):
            return cast("str", raw["content"])
        case Opaque():
            return "[document]"
        case _:
            return ""


def _short(arguments: Mapping[str, object]) -> dict[str, object]:
    return {
        key: cut(value, ARGUMENT)
        if isinstance(value, str)
        else cut(json.dumps(value, ensure_ascii=False, default=str), ARGUMENT)
        for key, value in arguments.items()
    }
