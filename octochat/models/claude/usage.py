"""What the API says of the work that an answer was: the tokens, and why the cache missed."""

from collections.abc import Mapping
from typing import Literal, TypeAlias, cast

from octochat.context.session.events import Usage
from octochat.text.figures import tokens

Json: TypeAlias = Mapping[str, object]

_MISSES: Mapping[str, str] = {
    "model_changed": "the model changed",
    "system_changed": "the system prompt changed",
    "tools_changed": "the tools changed",
    "messages_changed": "an earlier message changed",
}
"""Why the API says that the cache missed; of the other reasons nothing can be learned."""


def missed(reason: Json) -> str:
    """That the cache missed what it should have held: asked for only where that is so.

    Empty where the API has nothing to tell.
    """
    why, lost = _MISSES.get(str(reason.get("type"))), _count(reason, "cache_missed_input_tokens")
    if not why or not lost:
        return ""
    return (
        f"The prompt cache missed {tokens(lost)} tokens that were sent just before, so you pay "
        f"for them in full. The API says why: {why}."
    )


def billed(usage: Json, ttl: Literal["5m", "1h"] = "5m") -> Usage:
    """The API's `usage` as ours, with what a compaction took, which stands apart."""
    total = _usage(usage, ttl)
    for iteration in cast("list[Json]", usage.get("iterations") or []):
        if iteration.get("type") == "compaction":
            total += _usage(iteration, ttl)
    return total


def _usage(usage: Json, ttl: Literal["5m", "1h"]) -> Usage:
    written = _count(usage, "cache_creation_input_tokens")
    parts = usage.get("cache_creation")
    if parts is None:
        hour = written if ttl == "1h" else 0
    else:
        hour = _count(cast("Json", parts), "ephemeral_1h_input_tokens")
    return Usage(
        fresh=_count(usage, "input_tokens"),
        cache_read=_count(usage, "cache_read_input_tokens"),
        cache_write=written - hour,
        cache_write_1h=hour,
        output=_count(usage, "output_tokens"),
    )


def _count(usage: Json, key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) else 0
