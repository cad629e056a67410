"""What can happen in a session. The log holds these and nothing else."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from octochat.context.session.asides import (
    Instructed,
    Recalled,
    Reminded,
    SkillForgotten,
    SkillLoaded,
    ToolLoaded,
    ToolWithdrawn,
)
from octochat.context.session.content import Block, Said
from octochat.context.session.edits import Fold, ResultTrim, Trim, UnitId, Worth
from octochat.context.session.hook_runs import HookRan
from octochat.context.session.kept_warm import KeptWarm
from octochat.context.session.knowledge import Knowledge
from octochat.context.session.steering import Steering
from octochat.context.session.tool_definition import ToolDefinition
from octochat.context.session.usage import Usage

EntryId: TypeAlias = int

Trigger: TypeAlias = Literal["auto", "done", "compact", "overflow", "ahead"]
"""Who wanted a compression: a strategy, the person, a request that must fit, or nobody yet."""

Stop: TypeAlias = Literal[
    "end_turn",
    "max_tokens",
    "stop_sequence",
    "tool_use",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
    "interrupted",  # octochat's own: the person stopped it
    "failed",  # octochat's own: the call broke off, and what it had announced is billed
]


@dataclass(frozen=True, slots=True)
class Opened:
    """The session began. What is here is sent as it is for the session's whole life."""

    model: str
    system: str
    tools: tuple[ToolDefinition, ...] = ()
    folder: str = ""
    """The working folder."""
    origin: str = ""
    """The session that it was forked from, and where; empty for one that began anew."""


@dataclass(frozen=True, slots=True)
class Prompted:
    """The person said something."""

    blocks: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Replied:
    """The model answered. `size` of the entry is what the answer's blocks weigh."""

    blocks: tuple[Block, ...]
    stop: Stop = "end_turn"
    usage: Usage = Usage()
    model: str = ""
    digest: str = ""
    """Running hash of the request it answered (system, tools, messages without thinking)."""
    cost: float | None = None
    """Dollars; None for a model without known prices."""
    ttl: int = 300
    """How long the request's cache entries live, in seconds."""
    seconds: float = 0.0
    """How long the answer took."""
    id: str = ""
    """The API's id of the message."""
    thought: str = ""
    """What it had thought when it was cut short, unsigned: shown to the person, never sent back."""
    void: bool = False
    """It was paid for, but is no part of the conversation: it failed, or did not fit the window."""


@dataclass(frozen=True, slots=True)
class BlockRefused:
    """The API took back no block of a kind that it had itself sent: such blocks go out no more."""

    block: str
    """The kind: the block's `type`."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A tool answered."""

    call_id: str
    content: tuple[Said, ...]
    failed: bool = False
    seconds: float = 0.0
    """How long the tool ran."""
    waited: float = 0.0
    """How long it had waited for the person's leave to run, in seconds, to a tenth."""
    note: str = ""
    """For the person only: how it was permitted, or that it was cut and where the whole is."""
    diff: str = ""
    """For the person only: what changed in a file that was there before, as a unified diff."""


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """`/done`: the task is over."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """The view became smaller. `size` of the entry is what the note weighs."""

    by: str
    """The strategy's name, or `ladder`, `done`, `compact`."""
    why: str
    before: int
    """Context size before, in tokens, the safety margin included."""
    after: int
    """Context size after, by the same ruler."""
    fold: Fold | None = None
    trims: tuple[Trim, ...] = ()
    trigger: Trigger = "auto"
    level: int | None = None
    ratio: float | None = None
    """The ratio that was asked for."""
    worth: Worth | None = None
    """What was expected of it."""
    learned: tuple[Knowledge, ...] = ()
    """Knowledge that this compression gave."""
    answer: str = ""
    """What the model wrote for the note, where the note had no room for all of it."""
    outdated: tuple[Knowledge, ...] = ()
    """Knowledge that the note's writer found to hold no longer; what the person added stays."""
    writer: str = ""
    """Who wrote the note: a model's name, `extractive`, or empty where nothing was written."""
    usage: Usage = Usage()
    """Tokens of the decision and summary call."""
    cost: float | None = 0.0
    """Dollars of that call; None for a model without known prices."""
    ignored: bool = False
    """`ignore_cost`: the call is left out of the session's bill."""
    seconds: float = 0.0

    @property
    def results_shortened(self) -> int:
        """Tool results that became shorter, those in the text of prompts included."""
        return sum(1 if isinstance(trim, ResultTrim) else trim.results for trim in self.trims)


@dataclass(frozen=True, slots=True)
class Held:
    """A compression was not made, and it cost money or set the watermark."""

    by: str
    why: str
    trigger: Trigger = "auto"
    watermark: int | None = None
    """The context size from which growth is measured now; None leaves it as it was."""
    writer: str = ""
    usage: Usage = Usage()
    cost: float | None = 0.0
    ignored: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Reverted:
    """A compression was taken back (and the `TaskEnded` with it, if it was a `/done`)."""

    condensed: EntryId
    task: EntryId | None
    after: int
    """Context size now, in tokens, without the safety margin."""
    watermark: int = 0
    """The context size from which growth is measured now, the safety margin included."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """Everything after entry `to` is undone, except what it cost."""

    to: EntryId


@dataclass(frozen=True, slots=True)
class Pinned:
    """A unit is to survive every compression."""

    unit: UnitId


@dataclass(frozen=True, slots=True)
class Unpinned:
    """A unit needs no more protection."""

    unit: UnitId


@dataclass(frozen=True, slots=True)
class KnowledgeChanged:
    """The person edited the knowledge by hand; this is all of it now."""

    entries: tuple[Knowledge, ...]


@dataclass(frozen=True, slots=True)
class Hinted:
    """The person was told that a compression is near. The model never sees it."""

    text: str


@dataclass(frozen=True, slots=True)
class NoteEdited:
    """The person rewrote a note. `size` of the entry is what it weighs now."""

    note: UnitId
    text: str
    """What the model is shown in its place, tags and all."""


@dataclass(frozen=True, slots=True)
class ModelChanged:
    """The session goes on with another model."""

    model: str
    scale: float = 1.0
    """Its tokens for one of the model before it: what the context weighs by its tokenizer."""
    only_now: bool = False
    """Nobody chose it: the session goes back to its own model once that can be asked again."""


@dataclass(frozen=True, slots=True)
class ToolsChanged:
    """The session goes on with other tools or another system prompt.

    Before the first request it costs nothing; later it is a new prefix.
    """

    tools: tuple[ToolDefinition, ...]
    system: str = ""
    """Empty where it stays."""


@dataclass(frozen=True, slots=True)
class Titled:
    """The session has a name."""

    title: str


Event: TypeAlias = (
    Opened
    | Prompted
    | Replied
    | BlockRefused
    | Returned
    | Recalled
    | Instructed
    | Reminded
    | SkillLoaded
    | SkillForgotten
    | TaskEnded
    | Condensed
    | Held
    | Reverted
    | Rewound
    | Pinned
    | Unpinned
    | KnowledgeChanged
    | Hinted
    | HookRan
    | KeptWarm
    | NoteEdited
    | ModelChanged
    | Steering
    | ToolsChanged
    | ToolLoaded
    | ToolWithdrawn
    | Titled
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: an event, its place, its time and its weight."""

    id: EntryId
    at: float
    """Seconds since the epoch."""
    size: int
    """Tokens of what the event adds to the view, calibrated, measured once."""
    event: Event
