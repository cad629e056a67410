"""Events in which octochat itself tells the model something, beside what people and tools say."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from octochat.context.session.edits import UnitId
from octochat.context.session.tool_definition import ToolDefinition


@dataclass(frozen=True, slots=True)
class Recalled:
    """Passages of what was folded were put behind the prompt, for they have to do with it."""

    text: str
    """What the model is shown."""
    units: tuple[UnitId, ...] = ()
    """The folded units that the passages stand in, oldest first."""
    passages: int = 0
    """How many there are; 0 where they were not counted yet."""
    cost: float | None = None
    """Dollars for sending them the first time: a part of the next call's bill. None: unknown."""


@dataclass(frozen=True, slots=True)
class SkillLoaded:
    """A skill became active; its text is in the view from here on."""

    name: str
    body: str
    permanent: bool = False
    """Named in `OCTOCHAT_SKILLS`: it survives `/done`."""


@dataclass(frozen=True, slots=True)
class SkillForgotten:
    """A skill is no longer active; its text goes at the next fold."""

    name: str


InstructionChange: TypeAlias = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Instructed:
    """A file with instructions came into play or changed on disk, and the model was told."""

    file: str
    """As the model is told it: relative to the working folder, or from `~`."""
    text: str
    """What the model is shown."""
    now: str = ""
    """All that the file says now; empty where it is gone."""
    change: InstructionChange = "added"
    partly: bool = False
    """`text` has only what is different from what the model was told before."""


@dataclass(frozen=True, slots=True)
class Reminded:
    """octochat gave the model a hint of its own."""

    text: str
    """What the model is shown."""
    skill: str = ""
    """The skill that it is about: that it may be forgotten."""
    why: str = ""
    """What a person is told of it; empty where `skill` says it, or where the place has changed."""


@dataclass(frozen=True, slots=True)
class ToolLoaded:
    """The model was shown a tool. `size` of the entry is what its definition weighs."""

    tool: ToolDefinition
    source: str = ""
    """Who offers it, such as a server; empty for octochat itself."""
    called: str = ""
    """Its name there."""
    call_id: str = ""
    """The call whose result refers to it; empty where none does."""


@dataclass(frozen=True, slots=True)
class ToolWithdrawn:
    """A tool that the model was shown is offered no more."""

    name: str
    why: str
    """To follow a colon."""
