"""The server's own ruler: a count that a person can work out by hand.

A text costs one token per four bytes of UTF-8, rounded up; anything that is not text costs its
compact JSON by the same rule; every block (tool, system text, content block) costs 3 more, an
image 1,500 flat. A model's `percent` is applied to each block, rounded up.
"""

import json
import math
from dataclasses import dataclass
from typing import Any

from tests.server.models import ServedModel
from tests.server.refusal import Json


@dataclass(frozen=True, slots=True)
class Ruler:
    """Counts tokens. Tests may set the constants."""

    bytes_per_token: int = 4
    per_block: int = 3
    """Tokens that every block costs on top of its text."""
    image: int = 1_500

    def text(self, text: str) -> int:
        """Tokens of a plain text."""
        return math.ceil(len(text.encode()) / self.bytes_per_token)

    def block(self, block: Json, model: ServedModel) -> int:
        """Tokens of one block, tool or system text, as the model counts them."""
        return math.ceil((self._inner(block) + self.per_block) * model.percent / 100)

    def _inner(self, block: Json) -> int:
        match block.get("type"):
            case "text":
                return self.text(block["text"])
            case "image":
                return self.image
            case "thinking":
                return self.text(block["thinking"])
            case "tool_result" | "compaction":
                return self._content(block.get("content") or "")
            case _:
                return self.text(compact({k: v for k, v in block.items() if k != "cache_control"}))

    def _content(self, content: str | list[Json]) -> int:
        if isinstance(content, str):
            return self.text(content)
        return sum(self._inner(part) + self.per_block for part in content)


def compact(value: Any) -> str:
    """JSON without spaces, keys in the order they came in."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
