"""What a test tells the server to say, and every way in which it may go wrong."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tests.server.refusal import Json
from tests.waiting import soon


@dataclass(frozen=True, slots=True)
class Say:
    """Text."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Reasoning; left out where the request does not let the model think."""

    text: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """Reasoning that the API gives out only encrypted; left out like any other."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call."""

    name: str
    input: Json = field(default_factory=dict[str, Any])
    id: str = ""
    """Empty: the server makes one up."""


@dataclass(frozen=True, slots=True)
class Odd:
    """A block of a kind that no client knows; the server does not take it back either."""

    block: Json


Block: TypeAlias = Say | Think | Redacted | Call | Odd
Stop: TypeAlias = Literal[
    "",
    "end_turn",
    "max_tokens",
    "stop_sequence",
    "tool_use",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model."""

    blocks: tuple[Block, ...]
    stop: Stop = ""
    """The stop reason; empty: `tool_use` if there is a call, else `end_turn`."""
    output_tokens: int | None = None
    """None: counted from the blocks."""
    stop_sequence: str | None = None


def reply(*blocks: Block, stop: Stop = "", output_tokens: int | None = None) -> Reply:
    """An answer made of these blocks."""
    return Reply(blocks, stop, output_tokens)


def say(text: str) -> Reply:
    """An answer in words."""
    return reply(Say(text))


def call(name: str, **arguments: object) -> Reply:
    """An answer that calls one tool."""
    return reply(Call(name, arguments))


class Gate:
    """Lets events through one by one, when the test says so. Starts closed.

    Belongs to the server's loop; from another thread use `loop.call_soon_threadsafe`.
    """

    def __init__(self) -> None:
        self._passes: float = 0
        self._changed: asyncio.Event = asyncio.Event()
        self._waiting: asyncio.Event = asyncio.Event()

    def let(self, count: int = 1) -> None:
        """Let this many more events through."""
        self._passes += count
        self._changed.set()

    def open(self) -> None:
        """Let everything through from now on."""
        self._passes = float("inf")
        self._changed.set()

    async def reached(self) -> None:
        """Wait until the server stands before the closed gate."""
        await soon(self._waiting.wait())

    async def passage(self) -> None:
        """The server's side: return when one event may go."""
        while self._passes < 1:
            self._waiting.set()
            self._changed.clear()
            await self._changed.wait()
        self._waiting.clear()
        self._passes -= 1


HALF = say("a reply of which only a part arrives")


@dataclass(frozen=True, slots=True)
class Status:
    """An error answer instead of a reply."""

    status: int
    message: str = "scripted by the test"
    retry_after: float | None = None
    """Seconds, in the `retry-after` header."""
    headers: tuple[tuple[str, str], ...] = ()
    """More headers, such as `x-should-retry`."""


@dataclass(frozen=True, slots=True)
class Instead:
    """Something that is no answer of this API: a proxy's page, or JSON in one piece."""

    said: str
    content_type: str = "application/json"
    status: int = 200


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection is reset after this many events (0: before any byte)."""

    after: int = 0
    reply: Reply = HALF


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection is closed after this many events, in the middle of the body."""

    after: int = 3
    reply: Reply = HALF


@dataclass(frozen=True, slots=True)
class EndEarly:
    """The body ends properly after this many events, without `message_stop`."""

    after: int = 3
    reply: Reply = HALF


@dataclass(frozen=True, slots=True)
class Malformed:
    """After this many events comes one that is no JSON."""

    after: int = 3
    reply: Reply = HALF
    data: str = '{"type": "content_block_delta", "index": '


@dataclass(frozen=True, slots=True)
class ErrorEvent:
    """After this many events comes an `error` event, and the body ends."""

    after: int = 3
    reply: Reply = HALF
    kind: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True, slots=True)
class Held:
    """From this many events on each one waits at the gate (0: the answer's head too; all: its end).

    A gate that is never opened is a stall; one let through event by event is a slow stream.
    """

    gate: Gate
    reply: Reply
    after: int = 0


Fault: TypeAlias = Status | Instead | Reset | Cut | EndEarly | Malformed | ErrorEvent | Held
Step: TypeAlias = Reply | Fault | Callable[[Json], Reply | Fault]
"""What answers one request; a callable is given the request's JSON."""


def too_long(tokens: int, window: int) -> Status:
    """The refusal of a prompt that is over the window, whatever its real size."""
    return Status(400, f"prompt is too long: {tokens} tokens > {window} maximum")


def echo(body: Json) -> Reply:
    """The answer where a test has scripted none: the last words of the user."""
    said = [m["content"] for m in body["messages"] if m["role"] != "system"]
    content: Any = said[-1]
    if isinstance(content, str):
        return say(f"You said: {content}")
    texts = [block["text"] for block in content if block["type"] == "text"]
    return say(f"You said: {texts[-1]}" if texts else f"I got {len(content)} results.")
