"""A system prompt by its sections, as octochat puts it together: for sizes, and for people."""

import re
from collections.abc import Iterator
from itertools import pairwise

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
INSTRUCTIONS = "Instructions"
"""How the titles begin of what people wrote; titles of their own are no sections."""
SKILLS = "Skills"
"""The title of the catalogue, which comes last."""
OPENING = "Opening"
"""What stands before the first title is called."""


def system_sections(system: str) -> Iterator[tuple[str, str]]:
    """Title and text of each section, the title in its text: together they are the whole."""
    places = [(0, OPENING), *_places(system), (len(system), "")]
    for (start, title), (end, _) in pairwise(places):
        if system[start:end].strip():
            yield title, system[start:end]


def _places(system: str) -> Iterator[tuple[int, str]]:
    found = list(_TITLE.finditer(system))
    skills = next((match.start() for match in reversed(found) if match[1] == SKILLS), len(system))
    theirs = False
    for match in found:
        own = match[1].startswith(INSTRUCTIONS) or match.start() >= skills
        if own or not theirs:
            yield match.start(), match[1]
        theirs = theirs or match[1].startswith(INSTRUCTIONS)
        if match.start() == skills:
            return
