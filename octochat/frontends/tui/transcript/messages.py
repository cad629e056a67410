"""What the transcript tells of itself and of what a person wants there: `Transcript.Moved` etc."""

from dataclasses import dataclass

from textual.message import Message

from octochat.context.session.events import EntryId


@dataclass
class Moved(Message, namespace="transcript"):
    """The view or what lies below it has changed."""

    below: int
    """Rows under the view."""
    fresh: int
    """Cards that came while the person was looking elsewhere."""

    browsing: bool
    """The keyboard is in the transcript."""


@dataclass
class Tried(Message, namespace="transcript"):
    """The person wants to try something that the transcript proposes."""

    text: str


@dataclass
class RestoreAsked(Message, namespace="transcript"):
    """The person wants a compression undone."""

    entry: EntryId


class Hurried(Message, namespace="transcript"):
    """The person wants a failed call to be made again at once."""


class Left(Message, namespace="transcript"):
    """The keyboard is to go back to the input."""


@dataclass
class Copied(Message, namespace="transcript"):
    """The person wants a text in the clipboard."""

    text: str
    what: str
    """What it is, in words."""
