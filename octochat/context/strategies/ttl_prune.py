"""Shorten old tool results while the prompt cache is cold anyway.

After "Session Pruning" of OpenClaw. Everything here is counted in characters.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from octochat.context.codec.bounds import AutoDuration, Count, Positive, Share, seconds
from octochat.context.codec.trees import canonical
from octochat.context.plans.situation import Situation
from octochat.context.session.content import (
    Block,
    Image,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.edits import Decision, Hold, Plan, ResultTrim
from octochat.context.session.view import Note, Prompt, Step, Unit, Units

CHARS_PER_TOKEN = 4
"""OpenClaw's estimate of a window: "chars = tokens x 4"."""
IMAGE_CHARS = 8_000
"""What an image counts as."""


@dataclass(frozen=True, slots=True)
class SoftTrim:
    """`[context.ttl_prune.soft_trim]`: long results keep their head and tail."""

    max_chars: Count = 4_000
    """Results longer than this are shortened, in characters."""
    head_chars: Count = 1_500
    """How much of the beginning stays, in characters."""
    tail_chars: Count = 1_500
    """How much of the end stays, in characters."""


@dataclass(frozen=True, slots=True)
class HardClear:
    """`[context.ttl_prune.hard_clear]`: if that is not enough, the oldest results go whole."""

    enabled: bool = True
    """Whether to clear results at all."""
    placeholder: str = "[Old tool result content cleared]"
    """The text that takes the place of a cleared result."""


@dataclass(frozen=True, slots=True)
class ToolGlobs:
    """`[context.ttl_prune.tools]`: whose results may be pruned. `*` matches anything."""

    allow: tuple[str, ...] = ()
    """Tools whose results may go, as patterns. Empty: all."""
    deny: tuple[str, ...] = ()
    """Tools whose results stay, as patterns. Wins over `allow`."""

    def cover(self, tool: str) -> bool:
        """Whether results of this tool may be pruned."""
        denied = any(_matches(pattern, tool) for pattern in self.deny)
        allowed = not self.allow or any(_matches(pattern, tool) for pattern in self.allow)
        return allowed and not denied


@dataclass(frozen=True, slots=True)
class TtlPrune:
    """OpenClaw's session pruning: old tool results are shortened when the cache has gone cold.

    Best for sessions with pauses and much tool output: it breaks no warm cache and needs no model.
    It touches nothing but tool results.
    """

    name: ClassVar[str] = "ttl_prune"

    mode: Literal["auto", "cache-ttl", "off"] = "auto"
    """"auto": on if you log in to Anthropic, with a key or a token; other servers' caches do not
    die by the clock. "cache-ttl": on. "off": off."""
    ttl: AutoDuration = "auto"
    """How long the last call must be ago. "auto": as long as the cache lives."""
    keep_last_assistants: Count = 3
    """Results that came after this many last replies stay."""
    soft_trim_ratio: Share = 0.3
    """The share of the window from which long results are shortened."""
    hard_clear_ratio: Share = 0.5
    """The share from which the oldest results are then cleared."""
    min_prunable_tool_chars: Count = 50_000
    """Clear only if the results hold at least this many characters together."""
    context_tokens: Positive = 200_000
    """The largest window to reckon with, in tokens."""
    soft_trim: SoftTrim = SoftTrim()
    hard_clear: HardClear = HardClear()
    tools: ToolGlobs = ToolGlobs()

    def decide(self, situation: Situation) -> Decision:
        """One look: is it time, is there enough, and what is old enough to go."""
        if why := self._early(situation):
            return Hold(why)
        units = situation.state.view.units
        window = min(situation.window, self.context_tokens) * CHARS_PER_TOKEN
        total = sum(_chars(unit) for unit in units)
        if total < self.soft_trim_ratio * window:
            return Hold(f"{total / window:.0%} of the window (from {self.soft_trim_ratio:.0%} on)")
        old = {result.call_id: result for result in self._eligible(situation)}
        short = dict(self._trimmed(situation, old))
        total -= sum(len(_text(old[id_])) - len(text) for id_, text in short.items())
        shown = {id_: _text(result) for id_, result in old.items()} | short
        cleared = self._cleared(shown, total, window)
        new = short | cleared
        if not new:
            return Hold("no tool result is old and long enough")
        return Plan(
            f"the cache is cold: {len(short.keys() - cleared.keys())} old results trimmed, "
            f"{len(cleared)} cleared",
            trims=tuple(ResultTrim(id_, text) for id_, text in new.items()),
        )

    def _early(self, situation: Situation) -> str:
        """Why it is not the time; empty if it is."""
        if self.mode == "off":
            return "turned off"
        ledger = situation.state.ledger
        ttl = ledger.ttl if self.ttl == "auto" else seconds(self.ttl)
        if ledger.last_use is None:
            return "no call has been made yet"
        idle = situation.now - ledger.last_use
        return "" if idle >= ttl else f"the last call was {idle:.0f} s ago (it waits for {ttl:g} s)"

    def _eligible(self, situation: Situation) -> Iterator[ToolResult]:
        """Results between the first user message and the cutoff, whose tool is covered."""
        units = situation.state.view.units
        first = next((i for i, unit in enumerate(units) if not isinstance(unit, Step)), len(units))
        for unit in units[first : _cutoff(units, self.keep_last_assistants)]:
            if not isinstance(unit, Step) or unit.id not in situation.free:
                continue
            tools = {call.id: call.name for call in unit.calls}
            for answer in unit.answers:
                result = answer.result
                if self.tools.cover(tools[result.call_id]) and _is_text(result):
                    yield result

    def _trimmed(
        self, situation: Situation, old: Mapping[str, ToolResult]
    ) -> Iterator[tuple[str, str]]:
        before = _trimmed_before(situation.state.view.units)
        for id_, result in old.items():
            text = _text(result)
            if id_ in before or len(text) <= self.soft_trim.max_chars:
                continue
            short = head_and_tail(text, self.soft_trim.head_chars, self.soft_trim.tail_chars)
            if len(short) < len(text):
                yield id_, short

    def _cleared(self, shown: Mapping[str, str], total: int, window: int) -> dict[str, str]:
        """The oldest results as placeholders, until the ratio is below."""
        most = self.hard_clear_ratio * window
        enough = sum(map(len, shown.values())) >= self.min_prunable_tool_chars
        if not self.hard_clear.enabled or not enough:
            return {}
        found: dict[str, str] = {}
        for id_, text in shown.items():
            if total < most:
                break
            if len(text) > len(self.hard_clear.placeholder):
                found[id_] = self.hard_clear.placeholder
                total -= len(text) - len(self.hard_clear.placeholder)
        return found


def head_and_tail(text: str, head: int, tail: int) -> str:
    """OpenClaw's form of a trimmed result."""
    note = (
        f"[Tool result trimmed: kept first {head} chars and last {tail} chars "
        f"of {len(text)} chars.]"
    )
    return f"{text[:head]}\n...\n{text[len(text) - tail :] if tail else ''}\n\n{note}"


def _cutoff(units: Units, keep: int) -> int:
    """Where the protected end begins: at the `keep`-th last reply, or at the first."""
    replies = [i for i, unit in enumerate(units) if isinstance(unit, Step)]
    return next(iter(replies[-keep:]), 0) if keep else len(units)


def _trimmed_before(units: Units) -> frozenset[str]:
    steps = (unit for unit in units if isinstance(unit, Step))
    return frozenset(a.result.call_id for step in steps for a in step.answers if a.trimmed)


def _is_text(result: ToolResult) -> bool:
    return all(isinstance(block, Text) for block in result.content)


def _text(result: ToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, Text))


def _matches(pattern: str, tool: str) -> bool:
    parts = (re.escape(part) for part in pattern.strip().lower().split("*"))
    return re.fullmatch(".*".join(parts), tool.lower()) is not None


def _chars(unit: Unit) -> int:
    match unit:
        case Prompt(blocks=blocks) | Note(blocks=blocks):
            return sum(map(_block_chars, blocks))
        case Step(blocks=blocks, results=results):
            return sum(map(_block_chars, (*blocks, *results)))


def _block_chars(block: Block) -> int:
    match block:
        case Text(text=text) | Thinking(text=text):
            return len(text)
        case Image():
            return IMAGE_CHARS
        case ToolCall(arguments=arguments):
            return len(canonical(arguments))
        case ToolResult(content=content):
            return sum(map(_block_chars, content))
        case Opaque(raw=raw):
            return len(canonical(raw))
