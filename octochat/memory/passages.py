"""The log as passages: pieces of about 60 words that a search ranks and shows. Pure.

What `recall` answered is left out: it would be found again in place of what it quotes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from octochat.context.session.content import Block, Text, ToolCall
from octochat.context.session.events import Entry, EntryId, Prompted, Replied, Returned, Titled
from octochat.context.session.tags import RECALL
from octochat.context.session.tool_marks import unmarked

Speaker: TypeAlias = Literal["person", "you", "tool"]
"""Who said it, as the model is told: itself is `you`."""

WORDS = 60
"""Words of a passage, about: one that is longer says less about where the answer stands."""
CHARACTERS = 800
"""A line without words (minified code, base64) is cut to pieces of so many characters."""
LETTERS = 8
"""Characters that count as a word where there are none."""

_BREAKS = re.compile(r"(?<=[.!?])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of what was said, with its place."""

    entry: EntryId
    """The number of the entry that it stands in."""
    unit: EntryId
    """The number that a note names it by: for a tool's result, that of the reply that asked."""
    who: Speaker
    path: str
    """What the tool was called with (a path, a command), for results; else empty."""
    at: float
    """Seconds since the epoch."""
    text: str


def passages(entries: Iterable[Entry], before: Sequence[Entry] = ()) -> Iterator[Passage]:
    """The passages of some entries, in their order.

    Args:
        entries: what is to be cut.
        before: the log before them, where the calls may stand that they answer.
    """
    calls = dict[str, tuple[EntryId, ToolCall | None]]()
    for entry in entries:
        calls |= {call.id: (entry.id, call) for call in _calls(entry)}
        match entry.event:
            case Prompted(blocks=blocks):
                yield from _cut(entry, entry.id, "person", "", _said(blocks))
            case Replied(blocks=blocks, void=False):
                yield from _cut(entry, entry.id, "you", "", _said(blocks))
            case Returned(call_id=call_id, content=content):
                unit, call = calls.get(call_id) or _asked(before, call_id) or (entry.id, None)
                if call is None or call.name != RECALL:
                    about = " ".join(_strings(call.arguments))[:200] if call else ""
                    said = unmarked(call.name, _said(content)) if call else _said(content)
                    yield from _cut(entry, unit, "tool", about, said)
            case Titled(title=title):
                yield from _cut(entry, entry.id, "person", "", title)
            case _:
                pass


def pieces(text: str) -> Iterator[str]:
    """A text in pieces of about `WORDS` words, broken between sentences or lines."""
    start = end = count = 0
    for first, last in _sentences(text):
        words = max(len(text[first:last].split()), (last - first) // LETTERS)
        if count and count + words > WORDS:
            yield text[start:end].strip()
            start, count = first, 0
        end = last
        count += words
    if text[start:end].strip():
        yield text[start:end].strip()


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences and lines begin and end; what has no end is cut."""
    start = 0
    for end in (*(match.end() for match in _BREAKS.finditer(text)), len(text)):
        for first in range(start, end, CHARACTERS):
            yield first, min(first + CHARACTERS, end)
        start = end


def _cut(entry: Entry, unit: EntryId, who: Speaker, path: str, text: str) -> Iterator[Passage]:
    for piece in pieces(_whole(text)):
        yield Passage(entry.id, unit, who, _whole(path), entry.at, piece)


def _whole(text: str) -> str:
    """Without half characters, which no database takes."""
    return text.encode("utf-8", "replace").decode()


def _asked(log: Sequence[Entry], call_id: str) -> tuple[EntryId, ToolCall] | None:
    """The reply that made a call, and the call; looked for from the end, where it mostly stands."""
    found = ((entry.id, call) for entry in reversed(log) for call in _calls(entry))
    return next((each for each in found if each[1].id == call_id), None)


def _calls(entry: Entry) -> Iterator[ToolCall]:
    if isinstance(entry.event, Replied):
        yield from (block for block in entry.event.blocks if isinstance(block, ToolCall))


def _said(blocks: Iterable[Block]) -> str:
    parts: list[str] = []
    for block in blocks:
        match block:
            case Text(text=text):
                parts.append(text)
            case ToolCall(name=name, arguments=arguments) if name != RECALL:
                parts.append("\n".join((f"[{name}]", *_strings(arguments))))
            case _:
                pass
    return "\n".join(parts)


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for inner in cast("Mapping[str, object]", value).values():
                yield from _strings(inner)
        case list() | tuple():
            for inner in cast("Sequence[object]", value):
                yield from _strings(inner)
        case _:
            pass
