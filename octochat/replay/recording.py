"""A recorded conversation as a sequence of octochat's own events, timed and weighed.

It does not know which format the conversation was read from.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypeAlias

from octochat.context.session.events import (
    Entry,
    Event,
    Instructed,
    Opened,
    Pinned,
    Prompted,
    Reminded,
    Replied,
    Returned,
    SkillForgotten,
    SkillLoaded,
    Unpinned,
)

Told: TypeAlias = (
    Prompted
    | Replied
    | Returned
    | SkillLoaded
    | SkillForgotten
    | Instructed
    | Reminded
    | Pinned
    | Unpinned
)
"""What a recording can hold: everything that was said and done, and nothing that was compressed."""

DAWN = 1_000_000_000.0
"""When a recording without times begins, in seconds since the epoch."""

TOOL_ROUND = 10.0
"""Seconds from one model call to the next where nobody was waited for."""


class ReadError(Exception):
    """A file could not be read as a recorded conversation. The message names it and says why."""


@dataclass(frozen=True, slots=True)
class RawRecording:
    """A file as it is, with what stands beside it: all that a process on another machine needs."""

    path: str
    """For people, and for messages about it."""
    data: bytes
    questions: bytes | None = None
    """`NAME.qa.json`: questions about the conversation, with their answers."""
    summaries: bytes | None = None
    """`NAME.compactions.json`: what the recorded agent wrote when it compacted."""

    @property
    def name(self) -> str:
        """What to call the conversation."""
        return PurePath(self.path).stem


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened in a recorded conversation."""

    event: Told
    at: float | None = None
    """Seconds since the epoch, where that was recorded."""
    by_person: bool = False
    """A person wrote it, which took a person's time."""
    message: int | None = None
    """Which message of the file it stood in, counted from 0 without system messages."""


@dataclass(frozen=True, slots=True)
class ParsedRecording:
    """What a reader found in a file."""

    name: str
    opened: Opened
    moments: tuple[Moment, ...]
    faults: tuple[str, ...] = ()
    """What was left out and why, one line each."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A conversation ready to be played."""

    name: str
    entries: tuple[Entry, ...]
    """The first one is `Opened`. Ids count from 1, without gaps."""
    faults: tuple[str, ...] = ()
    messages: Mapping[int, tuple[Entry, ...]] = field(default_factory=dict[int, tuple[Entry, ...]])
    """What each message of the file became, where the format counts them."""

    @property
    def calls(self) -> int:
        """How often the recorded agent was asked."""
        return sum(isinstance(entry.event, Replied) for entry in self.entries)

    @property
    def tokens(self) -> int:
        """The weight of the whole conversation."""
        return sum(entry.size for entry in self.entries)


def recorded(transcript: ParsedRecording, weigh: Callable[[Event], int], pace: float) -> Recording:
    """Give every moment its time and its weight.

    Args:
        transcript: What was read.
        weigh: Tokens of what an event adds to the view.
        pace: Seconds that a person takes between turns, where no times were recorded.
    """
    times = tuple(_times(transcript.moments, pace))
    opened = transcript.opened
    entries = [Entry(1, times[0] if times else DAWN, weigh(opened), opened)]
    for place, (moment, at) in enumerate(zip(transcript.moments, times, strict=True), 2):
        entries.append(Entry(place, at, weigh(moment.event), moment.event))
    messages: defaultdict[int, list[Entry]] = defaultdict(list)
    for moment, entry in zip(transcript.moments, entries[1:], strict=True):
        if moment.message is not None:
            messages[moment.message].append(entry)
    places = {number: tuple(found) for number, found in messages.items()}
    return Recording(transcript.name, tuple(entries), transcript.faults, places)


def _times(moments: tuple[Moment, ...], pace: float) -> Iterator[float]:
    now = DAWN
    for place, moment in enumerate(moments):
        if moment.at is not None:
            now = moment.at if place == 0 else max(now, moment.at)
        elif place and moment.by_person:
            now += pace
        elif place and isinstance(moment.event, Replied):
            now += TOOL_ROUND
        yield now
