"""A request's messages as the API reads them: blocks in their places, turns of one role."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from tests.server.refusal import Json

THOUGHTS = ("thinking", "redacted_thinking")
SETTING = "output_config"
"""The kind of what a system message sets."""


def seal_of(block: Json) -> str:
    """What a thinking block is signed with; empty for any other block."""
    return block.get("data" if block["type"] == "redacted_thinking" else "signature") or ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A content block and where it stands."""

    role: str
    block: Json
    message: int
    index: int

    @property
    def kind(self) -> str:
        return self.block["type"]

    @property
    def path(self) -> str:
        """As error messages and `input_transformations` name it."""
        return f"messages.{self.message}.content.{self.index}"


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive messages of one role: to the API they are one."""

    role: str
    blocks: tuple[Placed, ...]


def blocks_of(content: str | list[Json]) -> list[Json]:
    """A string is short for one text block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def placed(messages: Sequence[Json]) -> list[Placed]:
    """Every block of every message, in order."""
    return [
        Placed(message["role"], block, at, index)
        for at, message in enumerate(messages)
        for index, block in enumerate((*blocks_of(message.get("content") or []), *_set(message)))
    ]


def effort_of(message: Json) -> str:
    """The effort from a system message on; empty for any other message."""
    given: Json = message.get("output_config") or {}
    return str(given.get("effort") or "")


def _set(message: Json) -> list[Json]:
    """What a message sets, as a block: it is a part of the prompt like any other."""
    effort = effort_of(message)
    return [{"type": SETTING, "effort": effort}] if effort else []


def turns(blocks: Sequence[Placed]) -> list[Turn]:
    """The user's and the assistant's turns; system messages stand between them unseen."""
    spoken = [block for block in blocks if block.role != "system"]
    return [
        Turn(role, tuple(group)) for role, group in groupby(spoken, key=lambda block: block.role)
    ]


def without_marker(block: Json) -> dict[str, Any]:
    """The block as it counts for comparison: cache markers are no content."""
    return {key: value for key, value in block.items() if key != "cache_control"}
