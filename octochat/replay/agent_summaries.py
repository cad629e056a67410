"""octochat's note beside the summaries that the recorded agent itself wrote.

At the same place, over the same messages, at the same number of tokens: which of what the agent
writes next, and had last seen before, stands in which of the two? Identifiers are found by another
pattern than the one that the notes' index is harvested with.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from octochat.context.notes.extractive import extractive_note
from octochat.context.notes.sections import Statement
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.replay.api_blocks import as_list, as_object, as_text
from octochat.replay.lexicon import texts
from octochat.replay.rare_words import ShownCount, words
from octochat.replay.recording import ReadError, Recording
from octochat.replay.weights import measure

_NAME = re.compile(
    r"(?:[A-Za-z0-9_.-]+/)+[A-Za-z0-9_.-]+|https?://\S+|\b[0-9a-f]{7,40}\b|\b[A-Z]{2,}[-_]?\d{2,}\b"
    r"|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+\b|\b\d{4,}\b|#\d+"
)
_LENGTHS = range(4, 121)
"""Characters of an identifier."""


@dataclass(frozen=True, slots=True)
class SummaryComparison:
    """How much of what was needed stood in a note, and in the summary beside it."""

    words: ShownCount = ShownCount()
    """In a note that code wrote, as long as the summary."""
    names: ShownCount = ShownCount()
    their_words: ShownCount = ShownCount()
    """In the summary."""
    their_names: ShownCount = ShownCount()
    longer_words: ShownCount = ShownCount()
    """In a note that code wrote, twice as long."""
    longer_names: ShownCount = ShownCount()
    joined_words: ShownCount = ShownCount()
    """In a note of that length whose sections are the summary: what a model's text adds."""
    joined_names: ShownCount = ShownCount()
    summaries: int = 0

    def __add__(self, other: "SummaryComparison") -> "SummaryComparison":
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return SummaryComparison(*(mine + theirs for mine, theirs in pairs))


def compare_summaries(
    data: bytes | None, recording: Recording, common: frozenset[str]
) -> SummaryComparison:
    """The comparison over all summaries in `data`; `common` words don't count.

    Raises:
        ReadError: it is no list of summaries.
    """
    if data is None:
        return SummaryComparison()
    try:
        parsed: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"its summaries are left out, not JSON ({error})") from error
    summaries = list(_summaries(as_list(parsed)))
    ends = [place for place, _ in summaries[1:]] + [max(recording.messages, default=0) + 1]
    total = SummaryComparison()
    for (place, text), end in zip(summaries, ends, strict=True):
        old = _entries(recording.messages, range(place))
        new = _entries(recording.messages, range(place, end))
        if old and new:
            total += _compared(text, old, new, common)
    return total


def _summaries(items: Iterable[object]) -> Iterator[tuple[int, str]]:
    """Before which message each was written, and what it says, in order."""
    for item in items:
        raw = as_object(item) or {}
        place = raw.get("before_message_index")
        if isinstance(place, int) and as_text(raw.get("summary")):
            yield place, as_text(raw["summary"])


def _entries(messages: Mapping[int, tuple[Entry, ...]], places: range) -> list[Entry]:
    return [entry for place in places for entry in messages.get(place, ())]


def _compared(
    summary: str,
    old: Sequence[Entry],
    new: Sequence[Entry],
    common: frozenset[str],
) -> SummaryComparison:
    covers = tuple(entry.id for entry in old if isinstance(entry.event, Prompted | Replied))
    length = measure(summary)
    theirs = tuple(Statement("State and progress", line) for line in summary.splitlines() if line)
    told = (
        extractive_note(old, covers, (), length, measure),
        summary,
        extractive_note(old, covers, (), 2 * length, measure),
        extractive_note(old, covers, (), 2 * length, measure, earlier=theirs),
    )
    needed_words = _needed(old, new, words) - common
    needed_names = _needed(old, new, _names)
    counts = (
        count
        for text in told
        for count in (
            ShownCount(len(needed_words), len(needed_words & set(words(text)))),
            ShownCount(len(needed_names), sum(name in text for name in needed_names)),
        )
    )
    return SummaryComparison(*counts, summaries=1)


def _needed(
    old: Iterable[Entry], new: Iterable[Entry], find: Callable[[str], Iterable[str]]
) -> set[str]:
    """What the agent writes after the summary that it had last seen before."""
    before = {found for entry in old for found in find(_text(entry))}
    needed: set[str] = set()
    seen: set[str] = set()
    for entry in new:
        here = set(find(_text(entry)))
        if isinstance(entry.event, Replied):
            needed |= (here & before) - seen
        seen |= here
    return needed


def _names(text: str) -> Iterator[str]:
    return (name for name in _NAME.findall(text) if len(name) in _LENGTHS)


def _text(entry: Entry) -> str:
    match entry.event:
        case Prompted(blocks=blocks) | Replied(blocks=blocks) | Returned(content=blocks):
            return "\n".join(texts(blocks))
        case _:
            return ""
