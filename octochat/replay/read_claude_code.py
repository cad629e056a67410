"""Session files of Claude Code: lines that point to their parent, of which one chain counts.

The chain that ends in the last line of the main conversation is followed back through
`parentUuid`; abandoned branches, side chains and compaction summaries are left out, so the
conversation runs on as if it had never been compacted. Where a compaction does not say what came
before it, or names a line that the file lacks, that is the last line spoken before it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from octochat.context.session.content import Block, Text, ToolCall, ToolResult
from octochat.context.session.events import Opened
from octochat.replay.api_blocks import Json, as_object, as_text, blocks
from octochat.replay.json_lines import JsonLine
from octochat.replay.recording import ParsedRecording
from octochat.replay.turns import MomentReader, RecordedMessage

MARKS = frozenset({"sessionId", "parentUuid", "leafUuid", "isSidechain"})
"""Keys that tell a line of this format."""


def read_claude_code(name: str, lines: Sequence[JsonLine], faults: list[str]) -> ParsedRecording:
    """A Claude Code session.

    Args:
        name: What to call the conversation.
        lines: The file's readable lines.
        faults: What was wrong with the others.
    """
    main = [line for line in lines if line.raw.get("isSidechain") is not True]
    spoken = [line for line in main if _is_spoken(line)]
    chain = list(_chain(main, spoken))
    faults.extend(_lost(spoken, chain))
    reader = MomentReader(faults)
    moments = tuple(reader.moments(_turns(chain)))
    return ParsedRecording(name, Opened(_model(chain), ""), moments, tuple(faults))


def _chain(main: Sequence[JsonLine], spoken: Sequence[JsonLine]) -> Iterator[JsonLine]:
    """The messages of the last branch, in the order of the file."""
    wanted = set(_ancestors(spoken[-1], _Parents.of(main, spoken))) if spoken else set[int]()
    wanted |= set(_siblings(spoken, wanted))
    for line in spoken:
        if line.number in wanted and not _is_summary(line):
            yield line


def _lost(spoken: Sequence[JsonLine], chain: Sequence[JsonLine]) -> Iterator[str]:
    """The model's replies that the chain passes by, and where they stand."""
    told = {_reply(line) for line in chain}
    lost = [
        line for line in spoken if line.raw.get("type") == "assistant" and _reply(line) not in told
    ]
    if lost:
        count = len({_reply(line) for line in lost})
        calls = f"{count} call{'s' * (count > 1)} of the model"
        where = (
            f"lines {lost[0].number} to {lost[-1].number}"
            if len(lost) > 1
            else (f"line {lost[0].number}")
        )
        yield f"{where}: left out {calls} that the last branch does not go through"


def _is_spoken(line: JsonLine) -> bool:
    """Whether the model or the person said it; error texts of the program itself are not."""
    said = line.raw.get("type") in {"user", "assistant"}
    return said and _message(line).get("model") != "<synthetic>"


@dataclass(frozen=True, slots=True)
class _Parents:
    """What each line follows."""

    by_id: Mapping[str, JsonLine]
    spoken: Sequence[JsonLine]
    """In the order of the file."""

    @classmethod
    def of(cls, main: Sequence[JsonLine], spoken: Sequence[JsonLine]) -> "_Parents":
        return cls({as_text(line.raw["uuid"]): line for line in main if "uuid" in line.raw}, spoken)

    def before(self, line: JsonLine) -> JsonLine | None:
        """The line's parent. A compaction's boundary names its logical parent, or should."""
        parent = line.raw.get("parentUuid") or line.raw.get("logicalParentUuid")
        found = self.by_id.get(as_text(parent))
        if found is not None or not (_is_boundary(line) or _is_summary(line)):
            return found
        place = bisect_left(self.spoken, line.number, key=lambda other: other.number)
        return self.spoken[place - 1] if place else None


def _ancestors(leaf: JsonLine, parents: _Parents) -> Iterator[int]:
    """Line numbers from the leaf to the root."""
    seen: set[int] = set()
    line: JsonLine | None = leaf
    while line is not None and line.number not in seen:
        seen.add(line.number)
        yield line.number
        line = parents.before(line)


def _is_boundary(line: JsonLine) -> bool:
    return line.raw.get("subtype") == "compact_boundary" or "logicalParentUuid" in line.raw


def _is_summary(line: JsonLine) -> bool:
    return line.raw.get("isCompactSummary") is True


def _siblings(spoken: Sequence[JsonLine], wanted: set[int]) -> Iterator[int]:
    """Lines beside the chain that belong to it: parts of one reply, and results of its calls.

    A reply with several calls is written as one line per block, and each result hangs on the
    line of its own call, so the chain alone passes by all but one of them.
    """
    replies = {_reply_id(line) for line in spoken if line.number in wanted} - {""}
    parts = [line for line in spoken if line.number in wanted or _reply_id(line) in replies]
    calls = {b.id for line in parts for b in _content(line) if isinstance(b, ToolCall)}
    for line in spoken:
        answers = {b.call_id for b in _content(line) if isinstance(b, ToolResult)}
        if _reply_id(line) in replies or answers & calls:
            yield line.number


def _turns(spoken: Sequence[JsonLine]) -> Iterator[RecordedMessage]:
    """Messages: consecutive lines of one reply are one turn."""
    for _, group in groupby(_replies_together(spoken), key=_reply):
        parts = [_turn(line) for line in group]
        yield replace(parts[0], blocks=tuple(block for part in parts for block in part.blocks))


def _replies_together(spoken: Sequence[JsonLine]) -> Iterator[JsonLine]:
    """The lines with every reply's parts moved to its first one."""
    parts: dict[str, list[JsonLine]] = {}
    for line in spoken:
        if reply := _reply_id(line):
            parts.setdefault(reply, []).append(line)
    for line in spoken:
        reply = _reply_id(line)
        if not reply:
            yield line
        elif reply in parts:
            yield from parts.pop(reply)


def _turn(line: JsonLine) -> RecordedMessage:
    content = _content(line)
    place, at = f"line {line.number}", _time(line.raw.get("timestamp"))
    if line.raw.get("type") == "assistant":
        return RecordedMessage("assistant", content, at=at, place=place)
    by_person = line.raw.get("isMeta") is not True and any(isinstance(b, Text) for b in content)
    return RecordedMessage("user", content, by_person, at, place)


def _content(line: JsonLine) -> tuple[Block, ...]:
    return blocks(_message(line).get("content"))


def _message(line: JsonLine) -> Json:
    return as_object(line.raw.get("message")) or {}


def _reply_id(line: JsonLine) -> str:
    return as_text(_message(line).get("id")) if line.raw.get("type") == "assistant" else ""


def _reply(line: JsonLine) -> str:
    """What the lines of one reply have in common, and no other line has."""
    return _reply_id(line) or str(line.number)


def _model(spoken: Sequence[JsonLine]) -> str:
    return next((m for line in spoken if (m := as_text(_message(line).get("model")))), "")


def _time(stamp: object) -> float | None:
    try:
        return datetime.fromisoformat(as_text(stamp)).timestamp()
    except ValueError:
        return None
