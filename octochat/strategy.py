"""All that a strategy of your own needs to import.

It only gathers names; octochat itself imports them from where they are defined.
"""

from octochat.context.codec.bounds import (
    Amount,
    AutoDuration,
    Count,
    Duration,
    Positive,
    PositiveShare,
    Seconds,
    Share,
    seconds,
)
from octochat.context.plans.folding import (
    drop,
    droppable,
    gap,
    is_gap,
    is_note,
    messages,
    summarised,
)
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Level, Strategy
from octochat.context.session.content import Text, plain_text
from octochat.context.session.edits import (
    Decision,
    Fold,
    Hold,
    NoteRequest,
    Plan,
    PromptTrim,
    ResultTrim,
)
from octochat.context.session.view import Note, Prompt, Step, Unit, Units

__all__ = [
    "Amount",
    "AutoDuration",
    "Count",
    "Decision",
    "Duration",
    "Fold",
    "Hold",
    "Level",
    "Note",
    "NoteRequest",
    "Plan",
    "Positive",
    "PositiveShare",
    "Prompt",
    "PromptTrim",
    "ResultTrim",
    "Seconds",
    "Share",
    "Situation",
    "Step",
    "Strategy",
    "Text",
    "Unit",
    "Units",
    "drop",
    "droppable",
    "gap",
    "is_gap",
    "is_note",
    "messages",
    "plain_text",
    "seconds",
    "summarised",
]
