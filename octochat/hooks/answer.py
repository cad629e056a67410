"""What a hook that ran has said: its exit status and its JSON, as Claude Code's hooks give them.

Source: docs/hooks.md#what-a-hook-may-answer.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

from octochat.hooks.hook import EventName
from octochat.hooks.process import Ran

Decision: TypeAlias = Literal["allow", "deny", "ask"]
BLOCKED = 2
"""The exit status by which a hook says no."""
WITHOUT_WORDS = "the hook gave no reason"
_BLOCKING: frozenset[EventName] = frozenset(
    {
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "PreCompact",
    }
)
"""Events at which a hook can say no."""
_PRINTED_COUNTS: frozenset[EventName] = frozenset({"SessionStart", "UserPromptSubmit"})
"""Events at which plain output is for the model."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one hook wants."""

    blocked: str = ""
    """Why it says no; empty where it does not."""
    decision: Decision | None = None
    """Of `PreToolUse`: what is to become of the call."""
    reason: str = ""
    """Why."""
    updated: Mapping[str, object] | None = None
    """Of `PreToolUse`: arguments in place of the call's, by Claude Code's names."""
    context: str = ""
    """For the model."""
    stop: str = ""
    """Why the turn is to end; empty where it is not."""
    message: str = ""
    """For the person."""
    printed: str = ""
    """For the person who opens the line."""
    failed: str = ""
    """What went wrong with it; empty where nothing did."""


def answer(event: EventName, ran: Ran) -> Answer:
    """What a hook wants that ran at this event."""
    said, wrong = ran.out.strip(), ran.err.strip()
    printed = "\n".join(filter(None, (said, wrong)))
    if ran.ended:
        return Answer(failed=ran.ended, printed=printed)
    if ran.status == BLOCKED and event in _BLOCKING:
        return _no(event, wrong or WITHOUT_WORDS, Answer(printed=printed))
    if ran.status:
        return Answer(failed=f"exit {ran.status}", printed=printed)
    tree = _tree(said)
    if isinstance(tree, str):
        return Answer(failed=tree, printed=printed)
    if tree is None:
        counts = event in _PRINTED_COUNTS
        return Answer(context=said if counts else "", printed=wrong if counts else printed)
    return _of_tree(event, tree, printed)


def _tree(said: str) -> Mapping[str, object] | str | None:
    """The JSON object that was printed, or what is wrong with it in words; None: there is none."""
    if not said.startswith("{"):
        return None
    try:
        tree = json.loads(said)
    except (ValueError, RecursionError) as error:
        return f"its JSON can't be read: {error}"
    return _table(tree)


def _of_tree(event: EventName, tree: Mapping[str, object], printed: str) -> Answer:
    own = _table(tree.get("hookSpecificOutput")) or {}
    if own.get("hookEventName", event) != event:
        return Answer(failed=f"its answer is for {own['hookEventName']}", printed=printed)
    plain = Answer(
        updated=_table(own.get("updatedInput")),
        context=_text(own, "additionalContext"),
        message=_text(tree, "systemMessage"),
        printed="" if tree.get("suppressOutput") is True else printed,
    )
    if tree.get("continue") is False:
        plain = replace(plain, stop=_text(tree, "stopReason") or WITHOUT_WORDS)
    if tree.get("decision") == "block" and event in _BLOCKING:
        return _no(event, _text(tree, "reason") or WITHOUT_WORDS, plain)
    if event != "PreToolUse":
        return plain
    decisions: Mapping[object, Decision] = {"allow": "allow", "deny": "deny", "ask": "ask"}
    older: Mapping[object, Decision] = {"approve": "allow"}
    decision = decisions.get(own.get("permissionDecision")) or older.get(tree.get("decision"))
    reason = _text(own, "permissionDecisionReason") or _text(tree, "reason")
    return replace(plain, decision=decision, reason=reason)


def _no(event: EventName, why: str, plain: Answer) -> Answer:
    if event == "PreToolUse":
        return replace(plain, decision="deny", reason=why)
    return replace(plain, blocked=why)


def _table(tree: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", tree) if isinstance(tree, dict) else None


def _text(tree: Mapping[str, object], key: str) -> str:
    value = tree.get(key)
    return value.strip() if isinstance(value, str) else ""
