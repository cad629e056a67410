"""Units in a line each: the number, who spoke, how it begins, and what it called."""

import json

from octochat.context.notes.fitting import Measure, cut, longest
from octochat.context.session.content import ToolCall, plain_text
from octochat.context.session.ran import own_words
from octochat.context.session.tags import escaped
from octochat.context.session.view import Note, Prompt, Step, Unit, Units

_ARGUMENT = 60
"""Characters of the argument by which a tool call is told."""


def overview(units: Units, characters: int, budget: int, measure: Measure) -> str:
    """A line for each prompt and step, in order; where they are too many, the oldest steps go.

    Args:
        units: a run of the view; octochat's own notes have no line.
        characters: of what was said, a line.
        budget: tokens.
        measure: the ruler.
    """
    lines = {unit.id: _line(unit, characters) for unit in units if not isinstance(unit, Note)}
    newest = [unit for unit in reversed(units) if unit.id in lines]
    ranked = sorted(newest, key=lambda unit: isinstance(unit, Step))

    def render(some: list[Unit]) -> str:
        kept = {unit.id for unit in some}
        return "\n".join(line for number, line in lines.items() if number in kept)

    return render(list(longest(ranked, lambda some: render(list(some)), budget, measure)))


def _line(unit: Unit, characters: int) -> str:
    match unit:
        case Step(blocks=blocks, calls=calls):
            failed = {result.call_id for result in unit.results if result.failed}
            called = (_call(call) + " (failed)" * (call.id in failed) for call in calls)
            parts = ("agent", _words(plain_text(blocks), characters), *called)
        case Prompt(blocks=blocks):
            parts = ("person", _words(own_words(blocks), characters))
        case Note(blocks=blocks):
            parts = ("person", _words(plain_text(blocks), characters))
    return f"#{unit.id} " + " | ".join(part for part in parts if part)


def _call(call: ToolCall) -> str:
    first = next(iter(call.arguments.values()), "")
    text = first if isinstance(first, str) else json.dumps(first, ensure_ascii=False, default=str)
    return f"{call.name} {_words(text, _ARGUMENT)}".rstrip()


def _words(text: str, characters: int) -> str:
    return cut(escaped(" ".join(text.split())), characters)
