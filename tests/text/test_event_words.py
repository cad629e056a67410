"""Whatever happens has words of its own."""

from typing import get_args

import pytest

from octochat.context.session.events import (
    BlockRefused,
    Held,
    Hinted,
    Instructed,
    KeptWarm,
    KnowledgeChanged,
    ModelChanged,
    NoteEdited,
    Pinned,
    Reminded,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    TaskEnded,
    Titled,
    ToolLoaded,
    ToolsChanged,
    ToolWithdrawn,
    Unpinned,
    Usage,
)
from octochat.context.session.hook_runs import HookRan
from octochat.context.session.steering import EffortChanged, ModeChanged
from octochat.context.session.tool_definition import ToolDefinition
from octochat.text.event_words import Happened, happened, paid

WORDS = {
    Held("pressure", "it would not pay"): "Not compressed: it would not pay",
    Hinted("A compression is near"): "A compression is near",
    KeptWarm("m", Usage(cache_read=54_000, output=1), 0.25): (
        "Kept the cache warm: 54.0k tokens read, paid $0.250"
    ),
    KeptWarm("m", Usage(cache_write=54_000), 0.25): (
        "Kept the cache warm: 54.0k tokens written anew, for it had gone, paid $0.250"
    ),
    Instructed("web/AGENTS.md", "...", "Use tabs."): "Instructions added: web/AGENTS.md",
    KnowledgeChanged(()): "Knowledge edited: 0 kept",
    BlockRefused("aside"): (
        "The API takes no block “aside” back, although it sent one: it stays in the session, and "
        "is no longer sent"
    ),
    ModelChanged("m"): "Model is now m",
    ModeChanged("accept-edits", "..."): "Mode is now accept edits",
    EffortChanged("high"): "Effort is now high",
    NoteEdited(7, "..."): "You rewrote the note #7",
    Pinned(4): "Pinned #4: it survives every compression",
    Reminded("...", "s"): "The model was told that it may forget the skill s",
    Reverted(7, task=0, after=9_000): "Restored what compression #7 took",
    Rewound(3): "Undone: all that followed #3",
    SkillForgotten("s"): "Skill forgotten: s; the next compression removes it",
    SkillLoaded("s", "...", permanent=True): "Skill loaded for good: s",
    TaskEnded(): "Task done: the next request starts afresh",
    Titled("The plan"): "Titled “The plan”",
    ToolsChanged((), "new"): "Tools are now 0 tools and another system prompt",
    Unpinned(4): "No longer pinned: #4",
    ToolWithdrawn("mcp__git__issue", "git is gone"): (
        "Tool withdrawn: mcp__git__issue: git is gone"
    ),
    HookRan("PreToolUse", "./guard.sh", "Bash", "denied: no"): (
        "PreToolUse hook on Bash, `./guard.sh`: denied: no"
    ),
    HookRan("Stop", "./bell.sh"): "Stop hook, `./bell.sh`: ran",
}

LOADED = ToolLoaded(ToolDefinition("mcp__git__issue", "", {})), "Tool loaded: mcp__git__issue"
"""Apart: a schema can't be a key."""


@pytest.mark.parametrize(("event", "words"), [*WORDS.items(), LOADED])
def test_every_event_is_a_sentence(event: Happened, words: str) -> None:
    assert happened(event) == words


def test_none_is_forgotten() -> None:
    assert {type(event) for event in (*WORDS, LOADED[0])} == set(get_args(Happened))


@pytest.mark.parametrize(("cost", "words"), [(0.25, ", paid $0.250"), (0.0, ""), (None, "")])
def test_what_cost_nothing_is_not_said_to_be_paid(cost: float | None, words: str) -> None:
    assert paid(cost) == words
