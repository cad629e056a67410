"""The `skill` tool: the model finds skills, takes one up, or lets one go."""

from collections.abc import Callable, Container, Sequence
from typing import ClassVar, Self

from octochat.context.session.content import Text
from octochat.context.session.events import Event, SkillForgotten, SkillLoaded, ToolDefinition
from octochat.context.session.state import State
from octochat.skills.catalogue import described, found
from octochat.skills.order import SkillOrder, order
from octochat.skills.skill_file import Skill
from octochat.skills.skills import Skills, skill_text
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.tool_context import ToolContext

_NAMED = 30
"""Skills that are all named where there is none of a name."""

_SPEC = ToolDefinition(
    name="skill",
    description=(
        "Work with skills: instructions for kinds of task, named in the system prompt. `use` adds "
        "a skill's text to the conversation: do so before work that it describes. `forget` lets "
        "it go; without a name, the only active one. `list` shows all, `search` those that fit a "
        "few words."
    ),
    schema={
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["list", "search", "use", "forget"]},
            "name": {"type": "string", "description": "The skill's name; for `search` words."},
        },
        "required": ["action"],
        "additionalProperties": False,
    },
)


def carry_out(given: SkillOrder, skills: Skills, state: State) -> tuple[str, tuple[Event, ...]]:
    """What is said to an order, and what happens to the session.

    Raises:
        ToolError: there is no such skill, or it is not clear which active one is meant.
    """
    active = {skill.name for skill in state.skills}
    match given.action:
        case "list":
            return _listed(skills.skills, active) or "There are no skills.", ()
        case "search":
            hits = found(skills, given.name)
            return _listed(hits, active) or f"No skill fits {given.name!r}; `list` shows all.", ()
        case "use":
            skill = skills.get(given.name)
            if skill is None:
                raise ToolError(f"There is no skill {given.name!r}. {_near(skills, given.name)}")
            if skill.name in active:
                return f"The skill {skill.name} is active already.", ()
            return f"The skill {skill.name} is active now.", (
                SkillLoaded(skill.name, skill_text(skill)),
            )
        case "forget":
            name = given.name or _only(sorted(active))
            if name not in active and (meant := skills.get(name)):
                name = meant.name
            if name not in active:
                names = ", ".join(sorted(active)) or "none"
                raise ToolError(f"The skill {name!r} is not active. Active: {names}.")
            said = f"The skill {name} is no longer active; the next compression removes it."
            return said, (SkillForgotten(name),)


def _listed(skills: Sequence[Skill], active: Container[str]) -> str:
    """A line for each, with a mark at the active ones."""
    rows = (
        described(skill).replace(":", " (active):", 1) if skill.name in active else described(skill)
        for skill in skills
    )
    return "\n".join(rows)


def _near(skills: Skills, name: str) -> str:
    """Which skills there are instead: all of them, or those that may be meant if they are many."""
    names = skills.names
    if len(names) > _NAMED:
        names = tuple(skill.name for skill in found(skills, name))
        return f"Near it: {', '.join(names) or 'none'}; `search` finds others."
    return f"There are: {', '.join(names) or 'none'}."


def _only(active: Sequence[str]) -> str:
    """The one that must be meant.

    Raises:
        ToolError: none is active, or several are.
    """
    match active:
        case [name]:
            return name
        case []:
            raise ToolError("No skill is active.")
        case _:
            forms = " or ".join(f"skill(forget {name})" for name in active)
            raise ToolError(f"{len(active)} skills are active. Say which one goes: {forms}.")


class SkillTool:
    """The model's hand on the skills."""

    name: ClassVar[str] = _SPEC.name
    spec: ToolDefinition = _SPEC

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.skills.for_model, place.state)

    def __init__(self, skills: Skills, state: Callable[[], State]) -> None:
        """`state` gives the session as it stands."""
        self._skills: Skills = skills
        self._state: Callable[[], State] = state

    def access(self, arguments: Arguments) -> Access:
        """Nothing outside the conversation is touched.

        Raises:
            ToolError: it is none of the four actions.
        """
        return Access("none", f"{_order(arguments).action} {_order(arguments).name}".strip())

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Carry the order out.

        Raises:
            ToolError: there is no such skill, or it is not active.
        """
        del access, progress
        said, events = carry_out(_order(arguments), self._skills, self._state())
        return Output((Text(said),), events=events)

    async def close(self) -> None:
        """Nothing is held."""


def _order(arguments: Arguments) -> SkillOrder:
    action, name = (str(arguments.get(key) or "") for key in ("action", "name"))
    given = order(action, name)
    if given is None:
        raise ToolError("action must be list, search, use or forget.")
    return given
