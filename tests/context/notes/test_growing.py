"""What is read of a session that grows is read once, and never differs from reading it anew."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from octochat.context.notes.artifacts import harvest
from octochat.context.notes.extractive import extract, important, worths
from octochat.context.notes.growing import Growing
from octochat.context.notes.requests import user_requests
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Prompted, Replied, Returned


def session(requests: int) -> list[Entry]:
    events = [
        event
        for n in range(requests)
        for event in (
            Prompted((Text(f"Please look at part {n}. It must never print its secrets."),)),
            Replied(
                (
                    Text(f"I decided to read src/part{n}.py because it fails in line {n}."),
                    ToolCall(f"c{n}", "bash", {"command": f"pytest tests/test_part{n % 3}.py"}),
                )
            ),
            Returned(f"c{n}", (Text(f"E   ValueError: part {n}\n1 failed"),), n % 2 == 0),
            Replied((Text(f"The tests of part {n} pass now, all 12 of them were fixed."),)),
        )
    ]
    return [Entry(n, 0.0, 0, event) for n, event in enumerate(events, 1)]


def test_each_entry_is_read_once_while_a_session_grows() -> None:
    entries, read = session(3), list[tuple[int, int]]()
    growing = Growing(list[int], lambda found, place, entry: read.append((place, entry.id)))
    for end in (4, 4, 7, 12):
        growing.over(entries[:end])
    assert read == [(place, place + 1) for place in range(12)]


def test_others_begin_anew() -> None:
    entries = session(3)
    others = [*entries[2:4], *session(4)]  # the first of them are the same ones
    growing = Growing(list[int], lambda found, _, entry: found.append(entry.id))
    for asked in (entries[:5], entries[:3], entries[2:9], entries[2:10], others, session(2), []):
        assert growing.over(asked) == [entry.id for entry in asked]


def test_nothing_of_a_reading_that_failed_is_kept() -> None:
    entries, troubles = session(3), [KeyboardInterrupt()]

    def add(found: list[int], place: int, entry: Entry) -> None:
        found.append(entry.id)
        if place == 6 and troubles:
            raise troubles.pop()

    growing = Growing(list[int], add)
    growing.over(entries[:5])
    with pytest.raises(KeyboardInterrupt):
        growing.over(entries)
    assert growing.over(entries) == [entry.id for entry in entries]


def read(entries: Sequence[Entry]) -> tuple[object, ...]:
    parts = harvest(entries), user_requests(entries), extract(entries)
    return *parts, worths(entries), important(entries, 4)


def test_a_note_on_a_session_that_grew_says_what_one_on_the_whole_says() -> None:
    entries = session(12)
    grown = [read(entries[:end]) for end in range(1, len(entries) + 1)]
    for end in (7, 23, 24, 48):
        anew = [replace(entry) for entry in entries[:end]]  # others, for they are not the same ones
        assert read(anew) == grown[end - 1]
