"""The part of a note that somebody wrote, a model or the extractive summariser: six sections."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from octochat.context.notes.fitting import Measure, longest

Title: TypeAlias = Literal[
    "Goal",
    "State and progress",
    "Decisions",
    "Constraints and preferences",
    "Open questions",
    "Next steps",
]
TITLES: tuple[Title, ...] = (
    "Goal",
    "State and progress",
    "Decisions",
    "Constraints and preferences",
    "Open questions",
    "Next steps",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement."""

    title: Title
    """The section it belongs to."""
    text: str
    worth: float = math.inf
    """What is worth least for its length goes first where there is not enough room; what a model
    wrote (infinite) always stays."""
    exchange: int = 0
    """The entry of the request that it belongs to; 0 where that does not matter."""


Sections: TypeAlias = tuple[Statement, ...]
"""All sections, each in its own order."""


def render(lines: Sequence[Statement]) -> str:
    """The sections that have lines, under their titles, as Markdown."""
    texts: list[str] = []
    for title in TITLES:
        mine = [line for line in lines if line.title == title]
        if not mine:
            continue
        texts.append(f"## {title}")
        for exchange, run in groupby(mine, key=lambda line: line.exchange):
            if exchange:
                texts.append(f"On request #{exchange}:")
            texts += [f"- {line.text}" for line in run]
    return "\n".join(texts)


def fitted(sections: Sections, budget: int, measure: Measure) -> str:
    """The sections within `budget` tokens: the most valuable lines, in their old order.

    What a model wrote is all in it, whatever it takes.
    """
    floor = [line for line in sections if math.isinf(line.worth)]
    places = {id(line): place for place, line in enumerate(sections)}
    others = (line for line in sections if not math.isinf(line.worth))
    ranked = sorted(others, key=lambda line: -line.worth / (len(line.text) + _LINE))

    def ordered(lines: Sequence[Statement]) -> str:
        return render(sorted((*floor, *lines), key=lambda line: places[id(line)]))

    return ordered(longest(ranked, ordered, budget, measure))


_LINE = 12
"""Characters that every line costs besides its text."""
