"""The skills whose text the model is to keep in mind."""

from dataclasses import dataclass, replace

from octochat.context.session.edits import UnitId


@dataclass(frozen=True, slots=True)
class ActiveSkill:
    """A skill whose text the model is to keep in mind."""

    name: str
    unit: UnitId
    permanent: bool
    """It survives `/done`."""
    reminded: bool = False
    """The model was told that it may be forgotten."""


def reminded(skills: tuple[ActiveSkill, ...], name: str) -> tuple[ActiveSkill, ...]:
    """The skills once the model was told that it may forget one."""
    return tuple(replace(each, reminded=True) if each.name == name else each for each in skills)
