"""What a request in the seat would have been billed: counted here, the prompt cache simulated."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TypeAlias, cast

from octochat.context.session.content import Block
from octochat.context.session.events import Usage
from octochat.models.catalogue import ModelInfo
from octochat.models.claude.readable import without_marks
from octochat.models.port import Request
from octochat.models.prompt_cache import CacheBlock, PromptCache
from octochat.models.tokens.ruler import Ruler

Json: TypeAlias = Mapping[str, object]


@dataclass(slots=True)
class Bill:
    """The caches of all models that are played, and a ruler that no bill has calibrated."""

    ttl: int
    """Seconds that a cache entry lives."""
    clock: Callable[[], float]
    """Seconds since the epoch."""
    ruler: Ruler = field(default_factory=Ruler)
    _caches: dict[str, PromptCache] = field(default_factory=dict[str, PromptCache])

    def prompt(self, request: Request, body: Json, model: ModelInfo) -> Usage:
        """What the prompt costs, in tokens; the cache keeps what the request marks."""
        self.ruler.model = model.name
        cache = self._caches.setdefault(model.name, PromptCache(model.min_cache, self.ttl))
        weighed = list(self._weighed(request, body))
        parts = [CacheBlock(_digest(sent), tokens) for sent, tokens in weighed]
        marked = [n for n, (sent, _) in enumerate(weighed) if "cache_control" in sent]
        return cache.ask(parts, marked, self.clock()).usage

    def whole(self, prompt: Usage, blocks: tuple[Block, ...], model: str) -> Usage:
        """The same with the answer."""
        self.ruler.model = model
        return replace(prompt, output=self.ruler.blocks(blocks))

    def _weighed(self, request: Request, body: Json) -> Iterator[tuple[Json, int]]:
        """Every block as it is sent, in the cache's order, with its size in tokens."""
        tools = map(self.ruler.tool, request.tools)
        yield from zip(_listed(body, "tools"), tools, strict=True)
        for system in _listed(body, "system"):
            yield system, self.ruler.text(request.system, "prose")
        for sent, message in zip(_listed(body, "messages"), request.messages, strict=True):
            sizes = (self.ruler.blocks((block,)) for block in message.blocks)
            yield from zip(_listed(sent, "content"), sizes, strict=True)


def _listed(value: Json, key: str) -> list[Json]:
    return cast("list[Json]", value.get(key) or [])


def _digest(block: Json) -> int:
    text = json.dumps(without_marks(block), sort_keys=True)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
