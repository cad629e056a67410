"""What the model is told of the skills before it uses one: a list, or how to search for them."""

import re
from collections.abc import Callable

from octochat.context.session.tags import escaped
from octochat.skills.skill_file import LONGEST_DESCRIPTION, Skill
from octochat.skills.skills import Skills

SHARE = 0.02
"""Of the model's window: with a longer list of skills the model searches for them instead."""
FOUND = 10
"""Skills that a search names."""
_SHORTEST = 3
"""Letters of a word that is searched for."""
_TITLE = "# Skills\n\n"
_NAMED = (
    f"{_TITLE}A skill holds instructions for one kind of task. When a task matches a description "
    'below, first call the `skill` tool with action "use" and its name, then follow what it says.\n'
)
_SEARCHED = (
    f"{_TITLE}A skill holds instructions for one kind of task. There are {{number}}, too many to "
    "name here. Before a task that others have surely done before, call the `skill` tool with "
    'action "search" and a few words about the task as its name; then "use" the one that fits.'
)


def skills_section(skills: Skills, most: float, measure: Callable[[str], int]) -> str:
    """What the system prompt says of skills: their list, unless that has over `most` tokens."""
    listed = catalogue(skills)
    return invitation(skills) if listed and measure(listed) > most else listed


def catalogue(skills: Skills) -> str:
    """The part of the system prompt that names the skills; empty where there are none."""
    if not skills.skills:
        return ""
    return "\n".join((_NAMED, *map(described, skills.skills)))


def invitation(skills: Skills) -> str:
    """The part of the system prompt that says how to search for skills."""
    return _SEARCHED.format(number=len(skills.skills))


def described(skill: Skill) -> str:
    """A skill in a line."""
    words = skill.description
    if len(words) > LONGEST_DESCRIPTION:
        words = f"{words[: LONGEST_DESCRIPTION - 1].rstrip()}…"
    return escaped(f"- {skill.name}: {words}")


def found(skills: Skills, words: str) -> tuple[Skill, ...]:
    """The skills that a few words fit, the best first: a word counts most in the name."""
    wanted = {_stem(word) for word in _words(words) if len(word) >= _SHORTEST}
    scores = {skill.name: _score(skill, wanted) for skill in skills.skills}
    ranked = sorted(skills.skills, key=lambda skill: -scores[skill.name])
    return tuple(skill for skill in ranked if scores[skill.name])[:FOUND]


def _score(skill: Skill, wanted: set[str]) -> int:
    name, description = _words(skill.name), _words(skill.description)
    return sum(3 * _begins(name, word) + _begins(description, word) for word in wanted)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _begins(words: list[str], stem: str) -> bool:
    return any(word.startswith(stem) for word in words)


def _stem(word: str) -> str:
    """The word without an ending, so that "testing" finds "tests"."""
    for ending in ("ing", "es", "ed", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending)
    return word
