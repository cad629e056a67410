"""The note that takes a range's place: requests, sections, knowledge and the artifact index.

Put together by code, within a budget of tokens. It does not know who wrote the sections.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from octochat.context.notes.artifacts import Artifacts
from octochat.context.notes.fitting import Measure, cut, longest, shares
from octochat.context.notes.index import index
from octochat.context.notes.sections import Sections, fitted, render
from octochat.context.session.content import Image, Opaque, Said, Text, ToolCall
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry, Knowledge, Prompted, Replied, Returned
from octochat.context.session.tags import WORK, escaped, tagged

SHARES = {"index": 0.65, "sections": 0.22, "requests": 0.09, "knowledge": 0.04}
"""How a note's room is divided; what one part does not use the others get.

By the replay lab's measure the index is worth the most (docs/lab.md#what-was-tried): at half the
default levels far recall rises by one point if it gets 55 % instead of 45 %, at the default levels
by half a point if it gets 65 % instead of 55 %.
"""
SUMMARY_PREFIX = "[Earlier conversation summary]: "
"""What the one-paragraph summaries begin with."""

_SLACK = 24
"""Tokens by which a sum of parts may be measured differently from the whole."""


@dataclass(frozen=True, slots=True)
class UserRequest:
    """Something the person said in the range."""

    id: UnitId
    text: str
    """Word for word; pictures and documents are named."""


@dataclass(frozen=True, slots=True)
class NoteParts:
    """All that a note is put together from."""

    requests: tuple[UserRequest, ...] = ()
    sections: Sections = ()
    knowledge: tuple[Knowledge, ...] = ()
    artifacts: Artifacts = Artifacts()
    covers: tuple[UnitId, ...] = ()
    """The entries that the note stands for, oldest first."""


def originals(entries: Iterable[Entry], covers: Collection[UnitId]) -> tuple[Entry, ...]:
    """The logged prompts, replies and tool results of these units, whole, in order.

    Arguments:
        entries: the log, what was undone left out.
        covers: ids of units, those that earlier notes stand for included.
    """
    wanted = frozenset(covers)
    calls: set[str] = set()
    found: list[Entry] = []
    for entry in entries:
        match entry.event:
            case Prompted() if entry.id in wanted:
                found.append(entry)
            case Replied(blocks=blocks) if entry.id in wanted:
                calls.update(block.id for block in blocks if isinstance(block, ToolCall))
                found.append(entry)
            case Returned(call_id=call_id) if call_id in calls:
                found.append(entry)
            case _:
                pass
    return tuple(found)


def user_requests(entries: Iterable[Entry]) -> tuple[UserRequest, ...]:
    """What the person said, in order."""
    return tuple(
        UserRequest(entry.id, "\n".join(map(_said, entry.event.blocks)).strip())
        for entry in entries
        if isinstance(entry.event, Prompted)
    )


def assemble(parts: NoteParts, budget: int, measure: Measure) -> str:
    """The note, at most `budget` tokens, between its tags, with every tag inside it escaped.

    The one exception to the budget: the index names every changed file, whatever that takes.
    """
    frame = tagged(WORK, _join(_opening(parts), "## What was asked", "## Artifacts"))
    room = budget - measure(frame) - _SLACK
    given = _allotted(parts, room, measure)
    told = _join(
        _requests(parts.requests, given["requests"], measure),
        fitted(parts.sections, given["sections"], measure),
        _knowledge(parts.knowledge, given["knowledge"], measure),
    )
    left = max(room - measure(told), 0)
    artifacts = _titled("Artifacts", index(parts.artifacts, left, measure, told))
    return tagged(WORK, _join(_opening(parts), told, artifacts))


def one_paragraph(text: str, budget: int, measure: Measure) -> str:
    """A one-paragraph note: `text` behind its prefix, cut at the end of a sentence if too long."""
    words = escaped(" ".join(text.split())).split(" ")
    kept = longest(words, lambda some: SUMMARY_PREFIX + " ".join(some), budget, measure)
    return SUMMARY_PREFIX + " ".join(kept)


def _opening(parts: NoteParts) -> str:
    spans = _spans(parts.covers)
    recall = (
        f" It stands for {len(parts.covers)} earlier messages ({spans}); the `recall` tool "
        "fetches any of them word for word."
        if parts.covers
        else ""
    )
    return (
        "The work so far on the request that follows, noted down by octochat in place of the "
        "messages themselves." + recall + " Earlier requests are listed as history: go on with "
        "the latest, and do not begin finished ones again."
    )


def _spans(covers: Sequence[UnitId]) -> str:
    match covers:
        case []:
            return ""
        case [only]:
            return f"#{only}"
        case _:
            return f"#{covers[0]} to #{covers[-1]}"


def _allotted(parts: NoteParts, room: int, measure: Measure) -> dict[str, int]:
    wants = {
        "index": measure(index(parts.artifacts, room, measure)) if room > 0 else 0,
        "sections": measure(render(parts.sections)),
        "requests": measure(_asked_lines(parts.requests, _WHOLE)),
        "knowledge": measure("\n".join(_known_lines(parts.knowledge))) + _SLACK // 4,
    }
    least = measure(index(parts.artifacts, 0, measure))
    given = shares(wants, SHARES, room)
    if given["index"] >= least:
        return given
    others = {part: weight for part, weight in SHARES.items() if part != "index"}
    return shares(wants, others, room - least) | {"index": least}


_WHOLE = 1_000_000
"""Characters: no limit."""
_SHORTEST = 60
"""Characters below which a request is not cut but left out of the middle."""


def _requests(requests: Sequence[UserRequest], budget: int, measure: Measure) -> str:
    """The requests, each cut alike until they fit; the first and the newest three times as long."""
    if not requests or budget <= 0:
        return _titled("What was asked", _asked_lines(requests[:1], _SHORTEST))
    low, high = _SHORTEST, max(len(request.text) for request in requests)
    if measure(_asked_lines(requests, high)) <= budget:
        low = high
    while low < high - 8:
        middle = (low + high) // 2
        if measure(_asked_lines(requests, middle)) <= budget:
            low = middle
        else:
            high = middle
    lines = _asked_lines(requests, low)
    if measure(lines) > budget:
        lines = _ends(requests, budget, measure)
    return _titled("What was asked", lines)


def _ends(requests: Sequence[UserRequest], budget: int, measure: Measure) -> str:
    """The first request and the newest ones, all cut short, and how many stood between."""
    newest = list(reversed(requests[1:]))

    def lines(some: Sequence[UserRequest]) -> str:
        left_out = len(requests) - 1 - len(some)
        gap = [f"[{left_out} more]"] if left_out else []
        kept = [_line(request, _SHORTEST) for request in reversed(some)]
        return "\n".join([_line(requests[0], 3 * _SHORTEST), *gap, *kept])

    return lines(longest(newest, lines, budget, measure))


def _asked_lines(requests: Sequence[UserRequest], characters: int) -> str:
    ends = {0, len(requests) - 1}
    return "\n".join(
        _line(request, characters * (3 if place in ends else 1))
        for place, request in enumerate(requests)
    )


def _line(request: UserRequest, characters: int) -> str:
    return f"[#{request.id}] {cut(request.text, characters)}"


def _knowledge(known: Sequence[Knowledge], budget: int, measure: Measure) -> str:
    newest = longest(
        list(reversed(known)), lambda some: "\n".join(_known_lines(some)), budget, measure
    )
    return _titled("Knowledge", "\n".join(_known_lines(list(reversed(newest)))))


def _known_lines(known: Sequence[Knowledge]) -> list[str]:
    return [f"- {entry.kind}: {' '.join(entry.text.split())}" for entry in known]


def _titled(title: str, body: str) -> str:
    return f"## {title}\n{body}" if body else ""


def _join(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _said(block: Said) -> str:
    match block:
        case Text(text=text):
            return text
        case Image():
            return "[picture]"
        case Opaque():
            return "[document]"
