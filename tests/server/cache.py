"""The prompt cache: which tokens of a request are read, written, or neither.

Exact prefixes in the order tools, system, messages; entries only where a marker stood; a marker
looks back 20 blocks. Deferred tools are no part of it, but where they are shown. Settings that
change how messages are rendered (thinking, tool choice, output format, effort) separate the
messages' entries, not those of tools and system.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.server.bill import Usage
from tests.server.binding import digest
from tests.server.models import ServedModel
from tests.server.offers import shown_by
from tests.server.refusal import Json, part
from tests.server.tokens import compact
from tests.server.turns import THOUGHTS, Placed, blocks_of, without_marker

LOOK_BACK = 20
"""Blocks a marker looks at for an earlier entry, its own counted."""
LIFETIMES = {"5m": 300.0, "1h": 3600.0}
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Item:
    """One block of a prompt."""

    section: str
    key: str
    """Digest of the prompt up to and including this block."""
    end: int
    """Tokens of the prompt up to and including this block."""
    ttl: str = ""
    """The lifetime its marker asks for; empty without a marker."""


def prompt_items(
    body: Json, kept: Sequence[Placed], tokens: Callable[[Json], int]
) -> tuple[Item, ...]:
    """The prompt as the cache sees it."""
    blocks: list[tuple[str, Json]] = [
        *(("tools", tool) for tool in body.get("tools", []) if not tool.get("defer_loading")),
        *(("system", block) for block in blocks_of(body.get("system") or [])),
        *((block.role, block.block) for block in kept),
    ]
    automatic = body.get("cache_control")
    last = max(
        (at for at, (_, block) in enumerate(blocks) if block.get("type") not in THOUGHTS),
        default=-1,
    )
    items: list[Item] = []
    key, end = "", 0
    for at, (section, block) in enumerate(blocks):
        if section not in {"tools", "system"} and (not items or items[-1].section != "messages"):
            key = digest(key, settings(body))
        section_name = section if section in {"tools", "system"} else "messages"
        key = digest(key, section, compact(without_marker(block)))
        end += tokens(block) + sum(map(tokens, shown_by(block, body)))
        marker = block.get("cache_control") or (automatic if at == last else None)
        items.append(Item(section_name, key, end, marker.get("ttl", "5m") if marker else ""))
    return tuple(items)


def settings(body: Json) -> str:
    """What of a request's settings changes the rendering of its messages."""
    thinking = part(body, "thinking")
    return compact(
        [
            thinking.get("type"),
            thinking.get("budget_tokens"),
            body.get("tool_choice"),
            part(body, "output_config").get("format"),
            part(body, "output_config").get("effort"),
        ]
    )


@dataclass(slots=True)
class Entry:
    """A cached prefix."""

    ttl: str
    expires: float
    """On the test's clock, in seconds."""


@dataclass(slots=True)
class PromptCache:
    """What is warm."""

    entries: dict[tuple[str, str], Entry] = field(default_factory=dict[tuple[str, str], Entry])
    """(model, key) -> entry."""

    def account(self, model: ServedModel, items: Sequence[Item], now: float) -> Usage:
        """Read, refresh and write; returns the prompt's share of the usage."""
        marked = [at for at, item in enumerate(items) if item.ttl]
        hit = max((self._find(model, items, at, now) for at in marked), default=-1)
        for at in {hit, *(at for at in marked if at < hit)} - {-1}:
            if entry := self._alive(model, items[at], now):
                entry.expires = now + LIFETIMES[entry.ttl]
        read = done = items[hit].end if hit >= 0 else 0
        written = {"5m": 0, "1h": 0}
        for at in marked:
            item = items[at]
            if at > hit and item.end >= model.min_cache:
                written[item.ttl] += item.end - done
                done = item.end
                self.entries[model.id, item.key] = Entry(item.ttl, now + LIFETIMES[item.ttl])
        total = items[-1].end if items else 0
        return Usage(total - done, read, written["5m"], written["1h"])

    def _find(self, model: ServedModel, items: Sequence[Item], at: int, now: float) -> int:
        """The nearest entry a marker at `at` can see; -1 if none."""
        for place in range(at, max(at - LOOK_BACK, -1), -1):
            if self._alive(model, items[place], now):
                return place
        return -1

    def _alive(self, model: ServedModel, item: Item, now: float) -> Entry | None:
        entry = self.entries.get((model.id, item.key))
        return entry if entry is not None and now < entry.expires else None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is remembered of a request, to say later why the cache missed."""

    model: str
    system: str
    tools: str
    settings: str
    messages: tuple[str, ...]
    tokens: int
    """The prompt's length."""


def fingerprint(body: Json, kept: Sequence[Placed], tokens: int) -> Fingerprint:
    return Fingerprint(
        body["model"],
        compact([without_marker(block) for block in blocks_of(body.get("system") or [])]),
        compact([without_marker(tool) for tool in body.get("tools", [])]),
        settings(body),
        tuple(digest(block.role, compact(without_marker(block.block))) for block in kept),
        tokens,
    )


def diagnose(before: Fingerprint | None, now: Fingerprint, read: int) -> Json | None:
    """The `diagnostics` of an answer: why the prefix of an earlier request was not reused."""
    if before is None:
        return {"cache_miss_reason": {"type": "previous_message_not_found"}}
    missed = {"cache_missed_input_tokens": max(0, before.tokens - read)}
    for kind, changed in (
        ("model_changed", before.model != now.model),
        ("system_changed", before.system != now.system),
        ("tools_changed", before.tools != now.tools),
        ("messages_changed", now.messages[: len(before.messages)] != before.messages),
    ):
        if changed:
            return {"cache_miss_reason": {"type": kind, **missed}}
    if before.settings != now.settings:
        return {"cache_miss_reason": {"type": "unavailable"}}
    return None
