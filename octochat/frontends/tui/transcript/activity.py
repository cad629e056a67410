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
from octochat.text.figures import elapsed, tokens

CHARACTERS = 4
"""Of what the model writes, to a token: until the API has said how many there are."""


class Activity:
    """A turn at work, as far as it has come."""

    def __init__(self, now: float) -> None:
        """It begins; `now` is in seconds."""
        self.phase: str = "Waiting"
        self._begun = now
        """Later by as long as the person has thought about what they were asked."""
        self._tools: dict[str, tuple[str, float]] = {}
        """Those that run: the name, and since when."""
        self._billed = 0
        self._come = 0
        """Characters of the answer that is being written."""

    def hear(self, item: Entry | Delta, now: float) -> None:
        """Something has happened."""
        match item:
            case ThinkingDelta(text):
                self._grow("Thinking", text)
            case TextDelta(text):
                self._grow("Writing", text)
            case CallDelta(json=json):
                self._grow("Writing", json)
            case ToolStarted(call, waited):
                self._begun += waited
                self._tools[call.id] = (call.name, now)
            case Compressing():
                self.phase = "Compressing"
            case Retrying():
                self.phase, self._come = "Waiting to try again", 0
            case Entry(event=Replied(usage=usage)):
                self._billed += usage.output
                self.phase, self._come = "Waiting", 0
            case Entry(event=Returned(call_id=call_id, waited=waited)):
                if self._tools.pop(call_id, None) is None:
                    self._begun += waited  # it was not let run
                self.phase = "Waiting"
            case Entry(event=Condensed() | Held()):
                self.phase = "Waiting"
            case _:
                return

    def words(self, now: float) -> tuple[str, ...]:
        """`Running bash · 5 s`, `turn 1 m 44 s` and `1.2k tokens`, what matters most first."""
        turn, written = elapsed(now - self._begun), self._billed + self._come // CHARACTERS
        facts = [f"{tokens(written)} tokens"] if written else []
        if not self._tools:
            return (f"{self.phase} · {turn}", *facts)
        name, since = list(self._tools.values())[-1]
        took = elapsed(now - since)
        return (f"Running {name} · {took}", *([f"turn {turn}"] if took != turn else []), *facts)

    def _grow(self, phase: str, piece: str) -> None:
        self.phase = phase
        self._come += len(piece)
