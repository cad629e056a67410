"""One hook as data: when it runs, and for what. It runs nothing and knows no file.

Source: docs/hooks.md#when-hooks-run.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

EventName: TypeAlias = Literal[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "Stop",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
]
EVENTS: tuple[EventName, ...] = get_args(EventName)
EndReason: TypeAlias = Literal["clear", "prompt_input_exit", "other"]
"""Why a session ends: for a new one, at the input, or otherwise."""
TOOL_EVENTS: frozenset[EventName] = frozenset({"PreToolUse", "PostToolUse"})
_WORDS = re.compile(r"[\w|]+")
TIMEOUT = 60.0
"""Seconds that a hook may take unless it says otherwise."""
LONGEST = 600.0
"""Seconds that any hook may take."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A command, and when it is to run."""

    event: EventName
    command: str
    matcher: str = ""
    """A name, names with `|` between them, or a regular expression; empty or `*`: always."""
    timeout: float = TIMEOUT
    """Seconds."""
    only_if: str = ""
    """A permission rule that a tool's call must be covered by, as `Bash(rm *)`; empty: any call."""
    args: tuple[str, ...] | None = None
    """The command's arguments; then it is a program and no line for a shell. None: it is a line."""
    source: str = ""
    """The file that names it."""

    def fits(self, names: Iterable[str]) -> bool:
        """Whether the matcher is for one of these names; what has no name fits every matcher."""
        names = tuple(names)
        if self.matcher in ("", "*") or not names:
            return True
        if _WORDS.fullmatch(self.matcher):
            return not {*self.matcher.split("|")}.isdisjoint(names)
        return any(re.search(self.matcher, name) for name in names)


def faults(matcher: str) -> str:
    """Why a matcher is none; empty where it is one."""
    try:
        re.compile("" if matcher == "*" else matcher)
    except (re.error, RecursionError) as error:
        return f"the matcher {matcher!r} is no regular expression: {error}"
    return ""
