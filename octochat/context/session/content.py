"""What people, models and tools say: plain values without identity.

Two messages with the same content are equal; ids of entries and units belong to the log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """A model's reasoning, sent back exactly as it came or not at all."""

    text: str
    signature: str
    """What the API signed it with; empty where the stream was cut before the signature."""
    redacted: bool = False
    """The API gave it only encrypted: there is no text, and `signature` is all of it."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture."""

    media_type: str
    data: str
    """Base64."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's request to run a tool."""

    id: str
    name: str
    arguments: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Opaque:
    """A block of the API that octochat does not model, sent back unchanged."""

    raw: Mapping[str, object]


Said: TypeAlias = Text | Image | Opaque
"""What people and tools can say. (An `Opaque` here is a document, such as a PDF.)"""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered."""

    call_id: str
    content: tuple[Said, ...]
    failed: bool = False


Block: TypeAlias = Text | Thinking | Image | ToolCall | ToolResult | Opaque


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a request."""

    role: Literal["user", "assistant", "system"]
    blocks: tuple[Block, ...]
    """Those of the system offer and withdraw tools; there may be none."""
    effort: str = ""
    """From here on, if it is a message of the system."""


def plain_text(blocks: tuple[Block, ...]) -> str:
    """The text of the text blocks, one per line."""
    return "\n".join(block.text for block in blocks if isinstance(block, Text))
