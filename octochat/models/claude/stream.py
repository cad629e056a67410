"""An answer as it arrives: the API's stream events in order, pieces out, a whole `Reply` at last.

It knows the events and not how they came. An answer from which anything is missing is none.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, TypeAlias, cast

from octochat.context.session.content import Block, Opaque, Text, Thinking, ToolCall
from octochat.context.session.events import Stop
from octochat.models.claude.usage import billed, missed
from octochat.models.port import (
    CallDelta,
    ErrorKind,
    ModelError,
    Notice,
    Reply,
    Started,
    TextDelta,
    ThinkingDelta,
)
from octochat.text.figures import count

Json: TypeAlias = Mapping[str, object]

_STOPS: Mapping[str, Stop] = {
    "end_turn": "end_turn",
    "max_tokens": "max_tokens",
    "stop_sequence": "stop_sequence",
    "tool_use": "tool_use",
    "pause_turn": "pause_turn",
    "refusal": "refusal",
    "model_context_window_exceeded": "model_context_window_exceeded",
    "compaction": "end_turn",
}
_CUT_SHORT = ("max_tokens", "refusal", "model_context_window_exceeded")
"""Stops in whose wake a tool call may be unfinished."""

_INPUT_KEYS: Mapping[str, tuple[str, ...]] = {
    "compaction": ("type", "content", "encrypted_content", "signature", "tool_changes"),
    "server_tool_use": ("type", "id", "name", "input"),
    "mcp_tool_use": ("type", "id", "name", "input", "server_name"),
    "mcp_tool_result": ("type", "tool_use_id", "content", "is_error"),
    "container_upload": ("type", "file_id"),
}
"""The keys that the API takes back, of the blocks that octochat does not model."""

_RESULT_KEYS = ("type", "tool_use_id", "content")
"""The same for the results of the API's own tools."""

Delta: TypeAlias = Started | TextDelta | ThinkingDelta | CallDelta | Notice


@dataclass(slots=True)
class _Growing:
    """A block that is being received."""

    start: dict[str, object]
    parts: list[str] = field(default_factory=list[str])
    signature: str = ""
    whole: bool = False


def malformed(why: str, kind: ErrorKind = "stream") -> ModelError:
    """The stream can't be used; the same request may work again."""
    return ModelError(kind, "The API's answer broke off or was malformed.", detail=why)


class Incoming:
    """One answer. Feed it every event in order, then ask for the reply."""

    def __init__(self, ttl: Literal["5m", "1h"] = "5m") -> None:
        self._ttl: Literal["5m", "1h"] = ttl
        """What cache writes are billed as where the API gives no breakdown."""
        self._id = ""
        self._usage: dict[str, object] = {}
        self._blocks: dict[int, _Growing] = {}
        self._stop: str | None = None
        self.begun = False
        self.whole = False
        """`message_stop` has come."""

    def feed(self, event: object) -> Iterator[Delta]:
        """Take one event, give what there is to show.

        Raises:
            ModelError: of kind `stream`, if the event makes no sense.
        """
        try:
            yield from self._feed(_mapping(event))
        except (KeyError, TypeError, ValueError) as error:
            raise malformed(f"malformed event: {error!r}") from error

    def _feed(self, event: Json) -> Iterator[Delta]:
        kind = event["type"]
        if kind != "message_start" and not self.begun:
            raise ValueError(f"{kind} before message_start")
        match kind:
            case "message_start":
                yield from self._begin(_mapping(event["message"]))
            case "content_block_start":
                yield from self._open(_index(event), _mapping(event["content_block"]))
            case "content_block_delta":
                yield from self._grow(self._blocks[_index(event)], _mapping(event["delta"]))
            case "content_block_stop":
                self._blocks[_index(event)].whole = True
            case "message_delta":
                yield from self._end(event)
            case "message_stop":
                self.whole = True
            case _:  # the API may add events: those that are not known are to be ignored
                pass

    def _begin(self, message: Json) -> Iterator[Delta]:
        self.begun = True
        self._id = str(message.get("id", ""))
        self._usage.update(_mapping(message.get("usage") or {}))
        yield Started(billed(self._usage, self._ttl))
        changes = cast("list[Json]", message.get("input_transformations") or [])
        dropped = sum(change.get("type") == "thinking_dropped" for change in changes)
        if dropped:
            left_out = count(dropped, "block")
            yield Notice(f"The API left out {left_out} of earlier thinking.", "warning")
        diagnostics = _mapping(message.get("diagnostics") or {})
        if lost := missed(_mapping(diagnostics.get("cache_miss_reason") or {})):
            yield Notice(lost, "warning")

    def _open(self, index: int, block: Json) -> Iterator[Delta]:
        self._blocks[index] = growing = _Growing(dict(block))
        match block["type"]:
            case "text":
                yield from self._say(growing, TextDelta(str(block.get("text") or "")))
            case "thinking":
                growing.signature = str(block.get("signature") or "")
                yield from self._say(growing, ThinkingDelta(str(block.get("thinking") or "")))
            case "tool_use":
                yield CallDelta(_string(block, "id"), _string(block, "name"), "")
            case _:  # kept as it is
                pass

    def _grow(self, block: _Growing, delta: Json) -> Iterator[Delta]:
        match delta["type"]:
            case "text_delta":
                yield from self._say(block, TextDelta(_string(delta, "text")))
            case "thinking_delta":
                yield from self._say(block, ThinkingDelta(_string(delta, "thinking")))
            case "signature_delta":
                block.signature = _string(delta, "signature")
            case "input_json_delta":
                piece = _string(delta, "partial_json")
                block.parts.append(piece)
                if block.start["type"] == "tool_use":
                    yield CallDelta(_string(block.start, "id"), _string(block.start, "name"), piece)
            case "compaction_delta":
                block.start.update({k: v for k, v in delta.items() if k != "type"})
            case _:  # citations and what may come
                pass

    def _say(self, block: _Growing, delta: TextDelta | ThinkingDelta) -> Iterator[Delta]:
        if delta.text:
            block.parts.append(delta.text)
            yield delta

    def _end(self, event: Json) -> Iterator[Delta]:
        delta = _mapping(event["delta"])
        if delta.get("stop_reason") is not None:
            self._stop = _string(delta, "stop_reason")
        counts = _mapping(event.get("usage") or {})
        self._usage.update({key: number for key, number in counts.items() if number is not None})
        yield Started(billed(self._usage, self._ttl))
        details = _mapping(delta.get("stop_details") or {})
        if details.get("explanation"):
            yield Notice(f"The API says: {details['explanation']}", "warning")

    def reply(self) -> Reply:
        """The whole answer.

        Raises:
            ModelError: of kind `stream`, if anything is missing from it.
        """
        if not self.whole or self._stop is None:
            raise malformed("the stream ended before the message did")
        if not all(block.whole for block in self._blocks.values()):
            raise malformed("a block of the message did not end")
        try:
            blocks = [self._block(self._blocks[index]) for index in sorted(self._blocks)]
            usage = billed(self._usage, self._ttl)
        except (KeyError, TypeError, ValueError) as error:
            raise malformed(f"malformed block: {error!r}") from error
        kept = tuple(block for block in blocks if block is not None and block != Text(""))
        calls = any(isinstance(block, ToolCall) for block in kept)
        stop = _STOPS.get(self._stop, "tool_use" if calls else "end_turn")
        return Reply(kept, usage, stop, self._id)

    def _block(self, block: _Growing) -> Block | None:
        """The block in the form in which it is sent back; None for a call that was cut off."""
        text = "".join(block.parts)
        match block.start["type"]:
            case "text":
                return Text(text)
            case "thinking":
                return Thinking(text, block.signature)
            case "redacted_thinking":
                return Thinking("", _string(block.start, "data"), redacted=True)
            case "tool_use":
                return self._call(block.start, text)
            case _:
                if text:
                    block.start["input"] = json.loads(text)
                if block.signature:
                    block.start["signature"] = block.signature
                return Opaque(_as_input(block.start))

    def _call(self, start: Json, text: str) -> ToolCall | None:
        try:
            arguments = _mapping(_parsed(text) if text else start.get("input") or {})
        except ValueError:
            if self._stop in _CUT_SHORT:
                return None
            raise
        return ToolCall(_string(start, "id"), _string(start, "name"), arguments)


def _as_input(block: Json) -> Json:
    """The API refuses keys that it only gives out."""
    kind = str(block["type"])
    keys = _INPUT_KEYS.get(kind) or (_RESULT_KEYS if kind.endswith("_tool_result") else block)
    return {key: block[key] for key in keys if block.get(key) is not None}


def _parsed(text: str) -> object:
    """JSON, without the numbers that JSON does not have and nobody could store or send back."""
    return json.loads(text, parse_constant=_finite, parse_float=_finite)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is not a JSON number")
    return number


def _mapping(value: object) -> Json:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, not {value!r}")
    return cast("Json", value)


def _string(value: Json, key: str) -> str:
    text = value[key]
    if not isinstance(text, str):
        raise TypeError(f"expected a string at {key}, not {text!r}")
    return text


def _index(event: Json) -> int:
    index = event["index"]
    if not isinstance(index, int):
        raise TypeError(f"expected a number, not {index!r}")
    return index
