"""What happened in a session, in words: the same in the transcript, in lines and in an export."""

from collections.abc import Mapping
from typing import TypeAlias

from octochat.context.session.events import (
    BlockRefused,
    Held,
    Hinted,
    HookRan,
    Instructed,
    KeptWarm,
    KnowledgeChanged,
    ModelChanged,
    NoteEdited,
    Pinned,
    Reminded,
    Replied,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    Stop,
    TaskEnded,
    Titled,
    ToolLoaded,
    ToolsChanged,
    ToolWithdrawn,
    Unpinned,
)
from octochat.context.session.steering import EffortChanged, ModeChanged, Steering
from octochat.text.figures import count, dollars, tokens
from octochat.text.harmless import one_line

Happened: TypeAlias = (
    Held
    | Hinted
    | HookRan
    | KeptWarm
    | Instructed
    | KnowledgeChanged
    | BlockRefused
    | ModelChanged
    | NoteEdited
    | Steering
    | Pinned
    | Reminded
    | Reverted
    | Rewound
    | SkillForgotten
    | SkillLoaded
    | TaskEnded
    | Titled
    | ToolsChanged
    | ToolLoaded
    | ToolWithdrawn
    | Unpinned
)
"""What is neither talk nor a tool nor a compression."""

_CUT_OFF: Mapping[Stop, str] = {
    "interrupted": "You stopped it; what came is kept",
    "max_tokens": "Cut off at the output limit",
    "refusal": "The model declined to answer",
    "pause_turn": "The API paused the answer: send “go on” for the rest",
    "model_context_window_exceeded": "Cut off: the context window is full",
}
"""Why a turn ended that the model did not end."""


LONGEST = 60
"""Characters of a command that are named."""


def happened(event: Happened) -> str:
    """One sentence without its full stop."""
    match event:
        case Held(why=why):
            return f"Not compressed: {why}"
        case Reverted(condensed=condensed):
            return f"Restored what compression #{condensed} took"
        case Rewound(to=to):
            return f"Undone: all that followed #{to}"
        case TaskEnded():
            return "Task done: the next request starts afresh"
        case SkillLoaded(name=name, permanent=permanent):
            return f"Skill loaded{' for good' if permanent else ''}: {name}"
        case SkillForgotten(name=name):
            return f"Skill forgotten: {name}; the next compression removes it"
        case Instructed(file=file, change=change):
            return f"Instructions {change}: {file}"
        case Reminded(why=why) if why:
            return why
        case Reminded(skill=""):
            return "The model was told what has changed where it works"
        case Reminded(skill=skill):
            return f"The model was told that it may forget the skill {skill}"
        case ModelChanged(model=model, only_now=True):
            return f"Model is {model} this time"
        case ModelChanged(model=model):
            return f"Model is now {model}"
        case ModeChanged(mode=mode):
            return f"Mode is now {mode.replace('-', ' ')}"
        case EffortChanged(effort=effort):
            return f"Effort is now {effort}"
        case BlockRefused(block=kind):
            return (
                f"The API takes no block “{kind}” back, although it sent one: it stays in the "
                "session, and is no longer sent"
            )
        case ToolsChanged(tools=tools, system=system):
            new = " and another system prompt" if system else ""
            later = sum(tool.offer == "deferred" for tool in tools)
            more = f" and {later} that can be found" if later else ""
            return f"Tools are now {count(len(tools) - later, 'tool')}{more}{new}"
        case ToolLoaded(tool=tool):
            return f"Tool loaded: {tool.name}"
        case ToolWithdrawn(name=name, why=why):
            return f"Tool withdrawn: {name}: {why}"
        case Titled(title=title):
            return f"Titled “{title}”"
        case Pinned(unit=unit):
            return f"Pinned #{unit}: it survives every compression"
        case Unpinned(unit=unit):
            return f"No longer pinned: #{unit}"
        case KeptWarm(usage=usage, cost=cost) as event:
            what = "written anew, for it had gone" if event.missed else "read"
            return f"Kept the cache warm: {tokens(usage.prompt)} tokens {what}{paid(cost)}"
        case Hinted(text=text):
            return text
        case HookRan(event=moment, command=command, about=about, did=did):
            at = f"{moment} hook on {about}" if about else f"{moment} hook"
            return f"{at}, {shortened(command)}: {did or 'ran'}"
        case NoteEdited(note=note):
            return f"You rewrote the note #{note}"
        case KnowledgeChanged(entries=known):
            return f"Knowledge edited: {len(known)} kept"


def cut_off(event: Replied) -> str:
    """Why an answer is not what a person waits for; empty where it may be."""
    if event.stop == "end_turn" and not event.blocks:
        return "The model gave an empty answer"
    if event.stop == "interrupted" and not event.blocks:
        return "You stopped it"
    return _CUT_OFF.get(event.stop, "")


def shortened(command: str) -> str:
    """A command on one line between backticks, cut if it is long."""
    line = one_line(command)
    return f"`{line[:LONGEST]}…`" if len(line) > LONGEST else f"`{line}`"


def paid(cost: float | None) -> str:
    """What a compression cost, to follow other words; empty where it cost nothing."""
    return f", paid {dollars(cost)}" if cost else ""
