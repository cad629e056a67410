"""The published originals, to the letter and without units: on plain messages, faults included.

They are here to show what octochat's versions must not do. Sizes come from a counter.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from octochat.context.session.content import Block, Message, Text, ToolCall, ToolResult

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Raw:
    """A message as the originals know it."""

    role: Role
    text: str
    calls: tuple[str, ...] = ()
    """Ids of the tools that an assistant called."""
    answers: str = ""
    """The id of the call that a tool message answers."""
    tokens: int = 0


Raws: TypeAlias = list[Raw]


def size(messages: Sequence[Raw]) -> int:
    return sum(message.tokens for message in messages)


def fifo(history: Sequence[Raw], target: int, least: int) -> Raws:
    """Octopus' `FIFOPruner`."""
    messages = list(history)
    while size(messages) > target and len(messages) > least:
        messages.pop(0)
        if messages and messages[0].role == "assistant":
            messages.pop(0)
    return messages


def summarize(history: Sequence[Raw], ask: Callable[[Sequence[Raw]], str]) -> Raws:
    """Octopus' `SummarizePruner`: it asks even if there is nothing to sum up."""
    count = math.floor(len(history) * 0.3)
    summary = ask(history[:count])
    note = Raw("system", f"[Earlier conversation summary]: {summary}", tokens=len(summary) // 4)
    return [note, *history[count:]]


def sliding_window(history: Sequence[Raw], turns: int) -> Raws:
    """Octopus' `SlidingWindowPruner`: pairs of a user message and the assistant's next."""
    pairs: list[Raws] = []
    for i, message in enumerate(history):
        if message.role == "user":
            pairs.append([message, *[m for m in history[i + 1 : i + 2] if m.role == "assistant"]])
    return [message for pair in pairs[-turns:] for message in pair]


def token_window(history: Sequence[Raw], available: int) -> Raws:
    """The trait's `SlidingWindow`: a system message that does not fit is dropped."""
    kept: Raws = []
    room = available
    if history and history[0].role == "system" and history[0].tokens <= room:
        kept, room, history = [history[0]], room - history[0].tokens, history[1:]
    tail: Raws = []
    for message in reversed(history):
        if message.tokens > room:
            break
        tail.insert(0, message)
        room -= message.tokens
    return kept + tail


def priority(history: Sequence[Raw], available: int) -> Raws:
    """The trait's `PriorityBased`: call and result are two messages with two scores."""
    base = {"system": (math.inf, 0), "user": (100, 50), "tool": (50, 40)}
    scores: dict[int, float] = {}
    for i, message in enumerate(history):
        floor, weight = base.get(message.role, (80, 40) if message.calls else (60, 30))
        scores[i] = floor + weight * (i + 1) / len(history)
    kept: set[int] = set()
    for i in sorted(scores, key=lambda i: scores[i], reverse=True):
        if history[i].tokens <= available:
            kept.add(i)
            available -= history[i].tokens
    return [message for i, message in enumerate(history) if i in kept]


def group_truncate(history: Sequence[Raw], zone: int, group: int = 4) -> Raws:
    """auto-coder's `_truncate_prune`: it can return nothing."""
    messages = list(history)
    while size(messages) > zone and messages:
        messages = messages[group:]
    return messages


def group_summarize(history: Sequence[Raw], zone: int, summary: Raws, *, patience: int) -> int:
    """auto-coder's `_summarize_prune`: the number of its calls, `patience` where it never ends."""
    messages, calls = list(history), 0
    while size(messages) > zone and calls < patience:
        messages = [*summary, *messages[4:]]
        calls += 1
    return calls


def cleaned(text: str) -> str:
    """auto-coder's replacement of an XML result: `success` comes out as true."""
    name = text.partition("tool_name='")[2].partition("'")[0]
    return (
        f"<tool_result tool_name='{name}' success='true'>"
        "<message>Content cleared to save tokens</message>"
        "<content>This message has been cleared.</content></tool_result>"
    )


class Pruner:
    """OpenClaw's session pruning: in memory, per request, forgotten by the next."""

    def __init__(self, ttl: float) -> None:
        self._ttl: float = ttl
        self._last: float | None = None

    def sent(self, history: Sequence[Raw], now: float) -> Raws:
        """What goes out."""
        cold = self._last is not None and now - self._last >= self._ttl
        self._last = now
        if not cold:
            return list(history)
        return [replace(m, text="[cleared]") if m.role == "tool" else m for m in history]


def as_sent(messages: Sequence[Raw]) -> tuple[Message, ...]:
    """As messages of the API, one role after the other; the system prompt stands elsewhere."""
    made: list[Message] = []
    for raw in messages:
        if raw.role == "system":
            continue
        role = "assistant" if raw.role == "assistant" else "user"
        blocks: tuple[Block, ...] = (Text(raw.text),)
        if raw.answers:
            blocks = (ToolResult(raw.answers, (Text(raw.text),)),)
        blocks += tuple(ToolCall(call, "read") for call in raw.calls)
        if made and made[-1].role == role:
            made[-1] = Message(role, made[-1].blocks + blocks)
        else:
            made.append(Message(role, blocks))
    return tuple(made)
