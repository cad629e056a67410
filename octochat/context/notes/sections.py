"""The part of a note that somebody wrote, a model or the extractive summariser: six sections."""

import math
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, TypeAlias

from octochat.context.notes.fitting import Measure, longest

Title: TypeAlias = Literal[
    "Goal",
    "Outcomes",
    "Verified",
    "State and progress",
    "Decisions",
    "Constraints and preferences",
    "Open questions",
    "Next steps",
]
TITLES: tuple[Title, ...] = (
    "Goal",
    "Outcomes",
    "Verified",
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


def written_by_a_model(note: str) -> Sections:
    """The statements of a model that stand in a note; code begins its own with their number."""
    found: list[Statement] = []
    title: Title | None = None
    for line in note.splitlines():
        if line.startswith("## "):
            title = next((each for each in TITLES if line == f"## {each}"), None)
        elif title and line.startswith("- ") and not _OF_CODE.match(line):
            found.append(Statement(title, line[2:], _EARLIER))
    return tuple(found)


_EARLIER = 3.0
"""What a statement of an earlier note is worth, as `worth` counts."""
_OF_CODE = re.compile(r"- #\d+ ")


def secured(sections: Sections, length: int, measure: Measure) -> Sections:
    """What a model wrote: all of it stays that is within the `length` it was given, in tokens.

    Where it wrote more, that holds for what is worth most, and the rest is there if there is room.
    """
    ranked = sorted(sections, key=lambda line: -line.worth / (len(line.text) + _LINE))
    kept = {id(line) for line in longest(ranked, render, length, measure)}
    return tuple(replace(x, worth=math.inf) if id(x) in kept else x for x in sections)


_SOURCES = re.compile(r"\s*\((#\d+(?:(?:\s*[,;–-]|\s+and)\s*#\d+)*)\)(?=[.]?$)")
_NUMBER = re.compile(r"#(\d+)")


def with_sources(sections: Sections, known: Container[int]) -> Sections:
    """The statements without the numbers `(#19)` at their ends that name no known message."""
    return tuple(replace(line, text=_sourced(line.text, known)) for line in sections)


def unsourced(text: str) -> str:
    """A statement without any number at its end."""
    return _sourced(text, ())


def _sourced(text: str, known: Container[int]) -> str:
    found = _SOURCES.search(text)
    numbers = _NUMBER.findall(found[1]) if found else []
    right = [number for number in numbers if int(number) in known]
    if not found or len(right) == len(numbers):
        return text
    said = f" ({', '.join(f'#{number}' for number in right)})" if right else ""
    return text[: found.start()] + said + text[found.end() :]


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
