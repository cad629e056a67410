"""What stands in the context for good, apart from the talk: instructions, the list of skills."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from octochat.context.session.instructions import framed, opened_with
from octochat.context.session.state import State
from octochat.context.session.system_sections import SKILLS, system_sections


@dataclass(frozen=True, slots=True)
class StandingPart:
    """One of them."""

    name: str
    tokens: int


def standing_parts(state: State, measure: Callable[[str], int]) -> Iterator[StandingPart]:
    """Every file with instructions by its name, then the list of skills, with their tokens.

    What a file said at the start counts as well as what was told of it since.
    """
    opened = {each.file: each.text for each in opened_with(state.view.system)}
    for each in state.instructions:
        units = (state.view.unit(unit) for unit in each.units)
        later = sum(unit.size for unit in units if unit)
        start = measure(framed(each.file, opened[each.file])) if each.file in opened else 0
        yield StandingPart(each.file, start + later)
    for title, text in system_sections(state.view.system):
        if title == SKILLS:
            yield StandingPart("list of skills", measure(text))
