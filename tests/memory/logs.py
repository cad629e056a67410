"""Logs in a few words, for the tests of what is found again."""

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Opened, Prompted, Replied, Returned


def log(*events: Event) -> list[Entry]:
    """A session's entries, a minute apart."""
    opened = Opened("m", "the system prompt says pineapple")
    return [Entry(n, 60.0 * n, 10, event) for n, event in enumerate((opened, *events), 1)]


def asked(text: str) -> Prompted:
    return Prompted((Text(text),))


def said(text: str) -> Replied:
    return Replied((Text(text),))


def called(call: str, name: str, **arguments: object) -> Replied:
    return Replied((ToolCall(call, name, arguments),), "tool_use")


def returned(call: str, text: str) -> Returned:
    return Returned(call, (Text(text),))
