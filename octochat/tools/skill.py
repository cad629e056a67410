"""The `skill` tool: the model lists skills, takes one up, or lets one go."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Self

from octochat.context.session.content import Text
from octochat.context.session.events import Event, SkillForgotten, SkillLoaded, ToolDefinition
from octochat.context.session.state import State
from octochat.skills.order import SkillOrder, order
from octochat.skills.skills import Skills, skill_text
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.facts import ToolFacts
from octochat.tools.tool_context import ToolContext

_SPEC = ToolDefinition(
    name="skill",
    description=(
        "Work with skills: instructions for particular kinds of task, named in the system prompt. "
        "`use` adds a skill's full text to the conversation: do it before starting work that the "
        "skill describes. `forget` marks a skill as no longer needed; without a name, the only "
        "active one. `list` shows all skills and which are active."
    ),
    schema={
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["list", "use", "forget"]},
            "name": {"type": "string", "description": "The skill's name; not needed for `list`."},
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
    known = ", ".join(skills.names) or "none"
    match given.action:
        case "list":
            rows = [
                f"- {skill.name}{' (active)' if skill.name in active else ''}: {skill.description}"
                for skill in skills.skills
            ]
            return "\n".join(rows) or "There are no skills.", ()
        case "use":
            found = skills.get(given.name)
            if found is None:
                raise ToolError(f"There is no skill {given.name!r}. There are: {known}.")
            if found.name in active:
                return f"The skill {found.name} is active already.", ()
            return f"The skill {found.name} is active now.", (
                SkillLoaded(found.name, skill_text(found)),
            )
        case "forget":
            name = given.name or _only(sorted(active))
            if name not in active:
                names = ", ".join(sorted(active)) or "none"
                raise ToolError(f"The skill {name!r} is not active. Active: {names}.")
            said = f"The skill {name} is no longer active; the next compression removes it."
            return said, (SkillForgotten(name),)


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
    facts: ClassVar[ToolFacts] = ToolFacts(("name", "action"))
    spec: ToolDefinition = _SPEC

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.skills, place.state)

    def __init__(self, skills: Skills, state: Callable[[], State]) -> None:
        """`state` gives the session as it stands."""
        self._skills: Skills = skills
        self._state: Callable[[], State] = state

    def access(self, arguments: Arguments) -> Access:
        """Nothing outside the conversation is touched.

        Raises:
            ToolError: it is none of the three actions.
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
    given = order(str(arguments.get("action", "")), str(arguments.get("name", "")))
    if given is None:
        raise ToolError("action must be list, use or forget.")
    return given
