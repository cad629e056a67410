"""An answer as somebody in the seat writes it: text with fenced calls, or JSON (docs/seat.md)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast, get_args

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Stop

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([^`]*?)\s*$")
_INPUTS = ("input", "arguments", "parameters")
"""The keys under which a call may give what the tool is called with."""
_OWN_STOPS = ("interrupted", "failed")
"""Stops that only octochat itself reports."""


class AnswerError(ValueError):
    """The answer can't be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was written."""

    blocks: tuple[Text | ToolCall, ...]
    """The text first, then the calls."""
    stop: Stop


@dataclass(frozen=True, slots=True)
class _Fence:
    """A fenced block of a Markdown text."""

    line: int
    """Where it opens, counted from 1."""
    info: str
    """What stands behind the opening fence."""
    body: str
    whole: str
    """With its fences."""
    closed: bool


def from_markdown(text: str, ids: Iterator[str]) -> Answer:
    """Text, with a fenced block `tool` for each call.

    Args:
        text: the answer.
        ids: an id for each call.

    Raises:
        AnswerError: a call can't be read, or there is nothing at all.
    """
    said, calls = list[str](), list[ToolCall]()
    for part in _parts(text):
        if isinstance(part, _Fence) and part.info.split(maxsplit=1)[:1] == ["tool"]:
            where = f"The call in line {part.line}"
            calls += (_call(given, where, next(ids)) for given in _given(part, where))
        else:
            said.append(part.whole if isinstance(part, _Fence) else part)
    return _answer("\n".join(said).strip(), calls)


def from_json(text: str, ids: Iterator[str]) -> Answer:
    """`{"text": ..., "calls": [...], "stop_reason": ...}`, or a message in the API's own form.

    Raises:
        AnswerError: it is neither.
    """
    message = _object(_parsed(text, "The file"))
    if message is None:
        raise AnswerError('The file must hold a JSON object with "text", "calls" or "content".')
    texts, made = list[str](), list[ToolCall]()
    for block in _said(message):
        if "name" in (_object(block) or ()):
            made.append(_call(block, "A call", next(ids)))
        elif isinstance(words := (_object(block) or {"text": block}).get("text"), str):
            texts.append(words)
        else:
            raise AnswerError(f"This is neither text nor a call with a name: {block!r:.200}")
    return _answer("\n".join(texts).strip(), made, message.get("stop_reason"))


def _said(message: Mapping[str, object]) -> Iterator[object]:
    """Texts and calls, in their order."""
    content, calls = message.get("content", message.get("text", "")), message.get("calls", [])
    if not isinstance(calls, list):
        raise AnswerError('"calls" must be a list.')
    yield from cast("list[object]", content if isinstance(content, list) else [content])
    yield from cast("list[object]", calls)


def _answer(text: str, calls: list[ToolCall], stop: object = None) -> Answer:
    if not text and not calls:
        raise AnswerError("The answer is empty: write text, a call, or both.")
    usual: Stop = "tool_use" if calls else "end_turn"
    known = [each for each in get_args(Stop) if each not in _OWN_STOPS]
    if stop is not None and stop not in known:
        raise AnswerError(f'"stop_reason" is {stop!r}; it can be {", ".join(known)}.')
    return Answer((*([Text(text)] if text else ()), *calls), cast("Stop", stop or usual))


def _parts(text: str) -> Iterator[str | _Fence]:
    """Lines outside of fences, and whole fenced blocks, in their order."""
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        opening = _FENCE.match(line)
        if not opening:
            yield line
            continue
        body, whole, closed = list[str](), [line], False
        for _, inner in lines:
            whole.append(inner)
            closed = _closes(inner, opening[1])
            if closed:
                break
            body.append(inner)
        yield _Fence(number, opening[2], "\n".join(body), "\n".join(whole), closed)


def _closes(line: str, fence: str) -> bool:
    plain = line.strip()
    return len(plain) >= len(fence) and set(plain) == {fence[0]}


def _given(fence: _Fence, where: str) -> Iterator[object]:
    """The calls in one block; behind `tool` may stand the name, then the body is the input."""
    if not fence.closed:
        raise AnswerError(f"{where} has no closing fence: end it with a line of the same marks.")
    _, _, name = fence.info.partition(" ")
    given = _parsed(fence.body, where) if fence.body.strip() or not name else dict[str, object]()
    if name:
        yield {"name": name.strip(), "input": given}
    elif isinstance(given, list):
        yield from cast("list[object]", given)
    else:
        yield given


def _parsed(text: str, where: str) -> object:
    """JSON; a string in it may go over several lines."""
    try:
        return json.loads(text, strict=False, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"{where} is no JSON: {error}.") from error


def _object(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _call(given: object, where: str, own_id: str) -> ToolCall:
    call = _object(given) or {}
    name = call.get("name")
    if not isinstance(name, str) or not name.strip():
        raise AnswerError(f'{where} needs a "name" and an "input", such as {EXAMPLE}')
    named = [call[key] for key in _INPUTS if key in call]
    arguments = _object(named[0]) if named else dict[str, object]()
    if arguments is None:
        raise AnswerError(f'{where}: the "input" of {name} must be a JSON object.')
    given_id = call.get("id")
    call_id = given_id if isinstance(given_id, str) and given_id else own_id
    return ToolCall(call_id, name.strip(), arguments)


EXAMPLE = '{"name": "read", "input": {"file_path": "README.md"}}'
