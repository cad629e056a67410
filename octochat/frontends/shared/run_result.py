"""What came of one prompt or command, gathered from the stream. It prints nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from octochat.commands.base import Refused, Report, Shown
from octochat.context.session.content import ToolCall, plain_text
from octochat.context.session.events import (
    Condensed,
    Entry,
    Held,
    Recalled,
    Replied,
    Returned,
    Usage,
)
from octochat.session.session import Session
from octochat.text.exit_codes import MISUSED, OK
from octochat.tools.facts import facts_of


@dataclass
class RunResult:
    """What came of the prompt, gathered as it happens."""

    result: str = ""
    stop_reason: str | None = None
    calls: int = 0
    usage: Usage = Usage()
    """Of all calls, those for summaries included."""
    cost: float | None = 0.0
    """Dollars; None as soon as a call has no known price."""
    edits: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    tool_errors: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """The tool calls that failed, in order."""
    info: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: str | None = None
    code: int = OK
    """The exit code that the error asks for."""
    _tool_calls: dict[str, ToolCall] = field(default_factory=dict[str, ToolCall])

    def take(self, item: Shown) -> None:
        """Note what an item of the stream says."""
        match item:
            case Refused(text=text):
                self.error, self.code = text, MISUSED
            case Report(text=text, data=data):
                self.result, self.info = text, data
            case Entry(event=Replied(stop="failed") as event):
                self._pay(event.usage, event.cost)
            case Entry(event=Replied() as event):
                self.calls += 1
                self._tool_calls |= {b.id: b for b in event.blocks if isinstance(b, ToolCall)}
                self.stop_reason = event.stop
                self._pay(event.usage, event.cost)
                self.result = plain_text(event.blocks) or self.result
            case Entry(event=Returned(failed=True) as event):
                self.tool_errors.append(self._tool_error(event))
            case Entry(event=Condensed() as event):
                self.edits.append(_edit(event))
                self._pay(event.usage, 0.0 if event.ignored else event.cost or 0.0)
            case Entry(event=Recalled() as event, size=size):
                self.edits.append(_recall(event, size))
            case Entry(event=Held() as event):
                self._pay(event.usage, 0.0 if event.ignored else event.cost or 0.0)
            case _:
                pass

    def _pay(self, usage: Usage, cost: float | None) -> None:
        self.usage += usage
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def _tool_error(self, event: Returned) -> dict[str, Any]:
        call = self._tool_calls.get(event.call_id, ToolCall(event.call_id, "tool"))
        return {
            "tool": call.name,
            "call": " ".join(facts_of(call).summary(call).split()),
            "call_id": call.id,
            "error": plain_text(event.content).strip(),
        }

    def json(self, session: Session) -> dict[str, Any]:
        """The one object of `--output-format json`."""
        shown: dict[str, Any] = {
            "session_id": session.engine.log.id,
            "result": self.result,
            "stop_reason": self.stop_reason,
            "model": session.engine.state.model,
            "calls": self.calls,
            "usage": {
                "input_tokens": self.usage.fresh,
                "cache_read_input_tokens": self.usage.cache_read,
                "cache_creation_input_tokens": self.usage.cache_write + self.usage.cache_write_1h,
                "output_tokens": self.usage.output,
            },
            "cost_usd": self.cost,
            "context_tokens": session.engine.state.context,
            "edits": self.edits,
            "tool_errors": self.tool_errors,
            "error": self.error,
        }
        return shown | ({"info": self.info} if self.info else {})


def _edit(event: Condensed) -> dict[str, Any]:
    return {
        "by": event.by,
        "kind": "fold" if event.fold else "trim",
        "before": event.before,
        "after": event.after,
        "why": event.why,
        "trigger": event.trigger,
        "level": event.level,
        "ratio": event.ratio,
        "cost_usd": event.cost,
    }


def _recall(event: Recalled, tokens: int) -> dict[str, Any]:
    return {
        "by": "recall",
        "kind": "recall",
        "passages": event.passages,
        "tokens": tokens,
        "cost_usd": event.cost,
    }
