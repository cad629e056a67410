"""Short logs of what was said and done, and the note on one."""

import json

from octochat.context.notes.extractive import extractive_note
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Prompted, Replied, Returned


def measure(text: str) -> int:
    return (len(text) + 3) // 4


def log(*events: Event) -> tuple[Entry, ...]:
    return tuple(Entry(i, float(i), 0, event) for i, event in enumerate(events, 1))


def act(name: str, output: str = "", *, failed: bool = False, **arguments: object) -> list[Event]:
    call_id = f"{name}-{json.dumps(arguments)}"
    return [
        Replied((ToolCall(call_id, name, arguments),)),
        Returned(call_id, (Text(output),), failed),
    ]


def said(text: str) -> Prompted:
    return Prompted((Text(text),))


def replied(text: str, *calls: ToolCall) -> Replied:
    return Replied((Text(text), *calls))


def read(path: str, output: str = "") -> list[Event]:
    call = ToolCall(f"read-{path}", "Read", {"file_path": path})
    return [replied(f"Reading the module in {path} now.", call), Returned(call.id, (Text(output),))]


def ids(entries: tuple[Entry, ...]) -> tuple[int, ...]:
    return tuple(entry.id for entry in entries if not isinstance(entry.event, Returned))


def note(entries: tuple[Entry, ...], budget: int = 800) -> str:
    return extractive_note(entries, ids(entries), (), budget, measure)
