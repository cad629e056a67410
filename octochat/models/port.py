"""The port: what octochat needs of a language model, and what it hears while one works."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from octochat.context.session.content import Block, Message, ToolCall
from octochat.context.session.events import Stop, ToolDefinition, Usage


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model."""

    model: str
    system: str
    tools: tuple[ToolDefinition, ...]
    messages: tuple[Message, ...]
    max_tokens: int
    """The most that may be written, in tokens."""
    folded: int = 0
    """How many leading messages a fold made (they end at a good cache breakpoint); 0 if none."""
    schema: Mapping[str, object] | None = None
    """JSON schema of the answer, where structured output is wanted."""
    temperature: float | None = None
    """Sent only to models that still take it; never together with `top_p`."""
    top_p: float | None = None
    """Sent where `temperature` would be, in its place."""
    top_k: int | None = None
    """Sent only to models that still take it."""
    compaction: bool = False
    """Ask for the API's own compaction block instead of an answer."""
    effort: str = ""
    """Asked for from the first message on; empty for the model's own. A change breaks the cache:
    a message of the system changes it in mid-conversation."""
    follows: str = ""
    """The API's id of the message whose request this one only adds to, where the prompt cache is
    to hold all of that; empty where a miss would be no surprise."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer: the last thing a call yields, and only if nothing is missing from it."""

    blocks: tuple[Block, ...]
    usage: Usage
    stop: Stop
    id: str = ""
    """The API's id of the message."""


@dataclass(frozen=True, slots=True)
class Started:
    """The API took the request: this much is billed whatever comes of the answer.

    It comes again, with all that is billed, as soon as the API has said how the answer ended.
    """

    usage: Usage


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of the reasoning (or of its summary)."""

    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a tool call's arguments, as JSON text."""

    call_id: str
    name: str
    json: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """A call failed and will be made again; what it had streamed is void."""

    why: str
    kind: str
    wait: float
    """Seconds until the next try."""
    attempt: int
    """The number of the try to come, from 2 on."""
    attempts: int
    """How many tries there are in all."""


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is running (permission was given)."""

    call: ToolCall
    waited: float = 0.0
    """How long it had waited for the person's leave to run, in seconds."""


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """A piece of what a running tool prints."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Compressing:
    """A compression is being worked out: the summary is being written."""

    by: str
    why: str
    before: int
    """Context size, in tokens."""
    level: int | None = None
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know that is no event of the session."""

    text: str
    severity: Literal["information", "warning", "error"] = "information"


Delta: TypeAlias = (
    Started
    | TextDelta
    | ThinkingDelta
    | CallDelta
    | Retrying
    | ToolStarted
    | ToolOutput
    | Compressing
    | Notice
)
"""What is shown while it happens and never stored."""

ErrorKind: TypeAlias = Literal[
    "auth",  # the key is missing, wrong or not allowed
    "billing",  # no credit
    "model",  # no such model
    "rate_limit",
    "overloaded",
    "network",  # no route, or the connection broke
    "timeout",
    "stream",  # the stream ended early or made no sense
    "too_long",  # the prompt is over the window
    "invalid",  # the API refused the request
    "cost",  # the session may not cost more
    "turns",  # the model may not be asked again for this message
    "server",  # the API failed
]

RETRYABLE: frozenset[ErrorKind] = frozenset(
    {"rate_limit", "overloaded", "network", "timeout", "stream", "server"}
)


class ModelError(Exception):
    """A call failed. `str(error)` is one line that says what a person can do."""

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        retry_after: float | None = None,
        detail: str = "",
        tokens: int | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.retry_after: float | None = retry_after
        """Seconds the API asked to wait."""
        self.detail: str = detail
        """The API's own words, for those who open the line."""
        self.tokens: int | None = tokens
        """How long the prompt was that is too long, where the API says it."""
        self.limit: int | None = limit
        """How long it may be."""

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self.kind in RETRYABLE


class Model(Protocol):
    """Something that answers requests. `claude`, `offline`, `scripted` and `seat` are four."""

    def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Stream the answer; the last item is the whole `Reply`.

        Raises:
            ModelError: the call failed; nothing of what was streamed counts.
        """
        ...
