"""Tools and their arguments by the names that hooks for Claude Code know.

Source: docs/hooks.md#what-a-hook-is-given.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from octochat.context.session.content import ToolCall
from octochat.tools.facts import facts_of

_NAMES: Mapping[str, str] = {
    "bash": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "glob": "Glob",
    "grep": "Grep",
    "skill": "Skill",
}
_ARGUMENTS: Mapping[str, Mapping[str, str]] = {"bash": {"timeout_ms": "timeout"}}
"""Of a tool: its own names of arguments, and the others' where they differ."""


def other_name(call: ToolCall) -> str:
    """What Claude Code calls the tool; of one that it has not, the name as it is."""
    if facts_of(call).several in call.arguments:
        return "MultiEdit"
    return _NAMES.get(call.name, call.name)


def names(call: ToolCall) -> tuple[str, ...]:
    """All names by which a matcher may mean the tool."""
    known = (call.name, _NAMES.get(call.name, call.name), other_name(call))
    return tuple(dict.fromkeys(known))


def own_name(name: str) -> str:
    """Octochat's name of a tool that Claude Code calls so."""
    return "edit" if name == "MultiEdit" else {v: k for k, v in _NAMES.items()}.get(name, name)


def other_input(call: ToolCall, folder: Path) -> dict[str, object]:
    """The arguments as hooks know them; a path is absolute."""
    renamed = _ARGUMENTS.get(call.name, {})
    given = {renamed.get(key, key): value for key, value in call.arguments.items()}
    path = given.get("file_path")
    if isinstance(path, str):
        given["file_path"] = os.path.normpath(folder / Path(path).expanduser())
    return given


def own_input(call: ToolCall, given: Mapping[str, object]) -> dict[str, object]:
    """Arguments that a hook gave in place of the call's, by octochat's names."""
    back = {other: own for own, other in _ARGUMENTS.get(call.name, {}).items()}
    return {back.get(key, key): value for key, value in given.items()}
