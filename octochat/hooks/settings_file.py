"""Hooks as Claude Code's settings.json says them. It knows a text, and not whether to trust it.

Source: docs/hooks.md#where-hooks-stand.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from octochat.hooks.hook import EVENTS, LONGEST, TIMEOUT, EventName, Hook, faults

Read: TypeAlias = Hook | str
"""A hook, or in words why one is left out."""
MOST = 200
"""Hooks that are taken of one file."""
OTHERS = frozenset(
    {
        "ConfigChange",
        "CwdChanged",
        "Elicitation",
        "ElicitationResult",
        "FileChanged",
        "InstructionsLoaded",
        "PermissionDenied",
        "PermissionRequest",
        "PostToolBatch",
        "PostToolUseFailure",
        "Setup",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "TaskCompleted",
        "TaskCreated",
        "TeammateIdle",
        "UserPromptExpansion",
        "WorktreeCreate",
        "WorktreeRemove",
    }
)
"""Events of Claude Code that never happen here."""


def hooks_in(text: str, source: str) -> tuple[tuple[Hook, ...], tuple[str, ...]]:
    """The hooks of a settings.json, and a line for each that is left out."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError) as error:
        return (), (f"it is no JSON: {error}",)
    settings = _table(tree)
    if settings.get("disableAllHooks") is True:
        return (), ()
    found = list(_all(_table(settings.get("hooks")), source))
    hooks = [each for each in found if isinstance(each, Hook)]
    left_out = [each for each in found if isinstance(each, str)]
    if len(hooks) > MOST:
        left_out.append(f"it has {len(hooks)} hooks; the first {MOST} are taken")
    return tuple(hooks[:MOST]), tuple(left_out)


def _all(events: Mapping[str, object], source: str) -> Iterator[Read]:
    for event, groups in events.items():
        if event in EVENTS:
            for group in _list(groups):
                yield from _of_group(event, _table(group), source)
        else:
            yield _unknown(event)


def _unknown(event: str) -> str:
    if event in OTHERS:
        return f"hooks of {event} never run: octochat has no such event"
    return f"{event} is no event; there are {', '.join(EVENTS)}"


def _of_group(event: EventName, group: Mapping[str, object], source: str) -> Iterator[Read]:
    matcher = group.get("matcher") or ""
    fault = faults(matcher) if isinstance(matcher, str) else "its matcher is no text"
    if fault or not isinstance(matcher, str):
        yield f"{event}: {fault}"
        return
    for given in _list(group.get("hooks")):
        yield _read(event, matcher, _table(given), source)


def _read(event: EventName, matcher: str, given: Mapping[str, object], source: str) -> Read:
    kind = given.get("type", "command")
    command, args = given.get("command"), given.get("args")
    if kind != "command":
        return f"{event}: a hook of the type {kind} is left out; octochat runs commands"
    if not isinstance(command, str) or not command.strip():
        return f"{event}: a hook has no command"
    timeout = given.get("timeout", TIMEOUT)
    seconds = timeout if isinstance(timeout, int | float) and timeout > 0 else TIMEOUT
    only_if = given.get("if")
    return Hook(
        event,
        command,
        matcher,
        min(float(seconds), LONGEST),
        only_if if isinstance(only_if, str) else "",
        tuple(map(str, _list(args))) if args is not None else None,
        source,
    )


def _table(tree: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", tree) if isinstance(tree, dict) else {}


def _list(tree: object) -> list[object]:
    return cast("list[object]", tree) if isinstance(tree, list) else []
