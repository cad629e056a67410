"""What goes on in a turn: its phase, how long it takes, how much has come. No widget, no clock."""

from octochat.context.session.events import Condensed, Entry, Held, Replied, Returned
from octochat.models.port import (
    CallDelta,
    Compressing,
    Delta,
    Retrying,
    TextDelta,
    ThinkingDelta,
    ToolStarted,
)
from octochat.text.figures import MINUTE, seconds, tokens

CHARACTERS = 4
"""Of what the model writes, to a token: until the API has said how many there are."""


class Activity:
    """A turn at work, as far as it has come."""

    def __init__(self, now: float) -> None:
        """It begins; `now` is in seconds."""
        self.phase: str = "Waiting"
        self._since = now
        self._billed = 0
        self._come = 0
        """Characters of the answer that is being written."""

    def hear(self, item: Entry | Delta) -> None:
        """Something has happened."""
        match item:
            case ThinkingDelta(text):
                self._grow("Thinking", text)
            case TextDelta(text):
                self._grow("Writing", text)
            case CallDelta(json=json):
                self._grow("Writing", json)
            case ToolStarted(call):
                self.phase = f"Running {call.name}"
            case Compressing():
                self.phase = "Compressing"
            case Retrying():
                self.phase, self._come = "Waiting to try again", 0
            case Entry(event=Replied(usage=usage)):
                self._billed += usage.output
                self.phase, self._come = "Waiting", 0
            case Entry(event=Returned() | Condensed() | Held()):
                self.phase = "Waiting"
            case _:
                return

    def words(self, now: float) -> str:
        """`Thinking · 12 s · 1.2k tokens`."""
        whole = max(int(now - self._since), 0)
        took = f"{whole} s" if whole < MINUTE else seconds(whole)
        written = self._billed + self._come // CHARACTERS
        said = (self.phase, took, f"{tokens(written)} tokens" if written else "")
        return " · ".join(filter(None, said))

    def _grow(self, phase: str, piece: str) -> None:
        self.phase = phase
        self._come += len(piece)
