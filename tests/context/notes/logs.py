"""Short logs of what an agent did."""

import json

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Replied, Returned


def measure(text: str) -> int:
    return (len(text) + 3) // 4


def log(*events: Event) -> tuple[Entry, ...]:
    return tuple(Entry(i, float(i), 0, event) for i, event in enumerate(events))


def act(name: str, output: str = "", *, failed: bool = False, **arguments: object) -> list[Event]:
    call_id = f"{name}-{json.dumps(arguments)}"
    return [
        Replied((ToolCall(call_id, name, arguments),)),
        Returned(call_id, (Text(output),), failed),
    ]
