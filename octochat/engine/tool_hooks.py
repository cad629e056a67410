"""The hooks around one tool call. What a hook may not do stands in `permissions`: it decides.

Source: docs/hooks.md#tool-calls.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from octochat.context.session.content import Text, ToolCall, plain_text
from octochat.context.session.hook_runs import HookRan
from octochat.hooks.hook import EventName
from octochat.hooks.hooks import NOTHING, Hooks, Moment, Verdict
from octochat.hooks.tool_names import names, other_input, other_name, own_input
from octochat.tools.base import Access, HookAdvice, Output

LONGEST_INPUT = 500
"""Characters of a changed input that the model is told."""


@dataclass(slots=True)
class ToolHooks:
    """Those of one call, and what they did so far."""

    hooks: Hooks = field(default_factory=Hooks)
    folder: Path = Path()
    """The working folder."""
    runs: list[HookRan] = field(default_factory=list[HookRan])
    """To be logged behind the result."""
    told: list[Text] = field(default_factory=list[Text])
    """What follows the result for the model."""

    async def before(self, call: ToolCall, access: Access) -> Verdict:
        """What they say to the call; a `deny` is final."""
        return await self._fired("PreToolUse", call, access, {})

    async def after(self, call: ToolCall, access: Access, output: Output) -> Output:
        """The result with what they add to it."""
        response = {"content": plain_text(output.content), "success": True}
        if access.path is not None:
            response["filePath"] = str(access.path)
        verdict = await self._fired("PostToolUse", call, access, {"tool_response": response})
        if verdict.blocked:
            self.told.append(Text(f"[A hook says of this call: {verdict.blocked}]"))
        return replace(output, content=(*output.content, *self.told))

    async def _fired(
        self, event: EventName, call: ToolCall, access: Access, more: dict[str, object]
    ) -> Verdict:
        given = {
            "tool_name": other_name(call),
            "tool_input": other_input(call, self.folder),
            "tool_use_id": call.id,
            **more,
        }
        moment = Moment(event, given, names(call), call.name, access)
        if not self.hooks.of(moment):
            return NOTHING
        verdict = await self.hooks.fire(moment)
        self.runs += verdict.runs
        if verdict.updated is not None:
            self.told.append(Text(f"[A hook changed the input: {_in_json(verdict.updated)}]"))
        if verdict.context:
            self.told.append(Text(f"[A hook adds: {verdict.context}]"))
        return verdict


def _in_json(given: Mapping[str, object]) -> str:
    text = json.dumps(given, ensure_ascii=False)
    return text if len(text) <= LONGEST_INPUT else f"{text[:LONGEST_INPUT]} …"


def advice(verdict: Verdict) -> HookAdvice | None:
    """What hooks want of the permission, where they want anything but a refusal."""
    if verdict.decision in ("allow", "ask"):
        return HookAdvice(verdict.decision, verdict.reason)
    return None


def changed(call: ToolCall, verdict: Verdict) -> ToolCall:
    """The call with the arguments that a hook gave in place of its own."""
    if verdict.updated is None:
        return call
    return replace(call, arguments=own_input(call, verdict.updated))
