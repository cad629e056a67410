"""octochat's own sessions, as they went: what was said and done, without what was compressed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from octochat.context.codec.trees import TreeError, from_tree
from octochat.context.session.content import Thinking
from octochat.context.session.events import (
    Entry,
    EntryId,
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
from octochat.context.session.state import surviving
from octochat.replay.json_lines import JsonLine
from octochat.replay.recording import Moment, ParsedRecording, ReadError, Told


def read_log(name: str, lines: Sequence[JsonLine], faults: list[str]) -> ParsedRecording:
    """A session of octochat. What was rewound is left out, and so is every compression.

    Args:
        name: What to call the conversation.
        lines: The file's readable lines, the format line among them.
        faults: What was wrong with the others.

    Raises:
        ReadError: the session does not begin with its opening.
    """
    return transcribed(name, list(_entries(lines, faults)), faults)


def transcribed(name: str, entries: Iterable[Entry], faults: Sequence[str] = ()) -> ParsedRecording:
    """A session's entries as a recorded conversation.

    Raises:
        ReadError: there is no opening among them.
    """
    alive = surviving(tuple(entries))
    opened = next((e.event for e in alive if isinstance(e.event, Opened)), None)
    if opened is None:
        raise ReadError(f"{name}: the session has no opening entry")
    told = [(entry, event) for entry in alive if (event := _told(entry)) is not None]
    places = {entry.id: place for place, (entry, _) in enumerate(told, 2)}
    moments = tuple(
        Moment(_placed(event, places), entry.at, isinstance(event, Prompted))
        for entry, event in told
    )
    return ParsedRecording(name, opened, moments, tuple(faults))


def _entries(lines: Iterable[JsonLine], faults: list[str]) -> Iterator[Entry]:
    for line in lines:
        if "octochat" in line.raw:
            continue
        try:
            yield from_tree(Entry, line.raw)
        except TreeError as error:
            faults.append(f"line {line.number}: left out ({error})")


def _told(entry: Entry) -> Told | None:
    """The event without its thinking, if it is one that was said or done."""
    match entry.event:
        case Replied(void=True):
            return None
        case Replied(blocks=blocks) as event:
            said = tuple(block for block in blocks if not isinstance(block, Thinking))
            return replace(event, blocks=said) if said else None
        case Prompted() | Returned() | SkillLoaded() | SkillForgotten() as event:
            return event
        case Instructed() | Reminded() as event:
            return event
        case Pinned() | Unpinned() as event:
            return event
        case _:
            return None


def _placed(event: Told, places: Mapping[EntryId, int]) -> Told:
    """The event with the ids that the recording gives to units."""
    match event:
        case Pinned(unit=unit) | Unpinned(unit=unit):
            return replace(event, unit=places.get(unit, 0))
        case _:
            return event
