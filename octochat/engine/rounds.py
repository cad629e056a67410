"""How often the model is asked for one message, and the call that it makes again and again in vain.

It knows nothing of the log: the engine tells it what happens and does what it says.
"""

import json
from dataclasses import dataclass

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Reminded
from octochat.context.session.tags import REMINDER, tagged
from octochat.models.port import ModelError

TOLD = 3
"""So many failures of one call in a row, and the model is told."""
STOPPED = 5
"""So many, and the turn ends."""


@dataclass(slots=True)
class Rounds:
    """One turn: from a message of the person to the answer."""

    most: int
    """Requests that the turn may have; 0: any number."""
    _asked: int = 0
    _call: str = ""
    """The last one that failed, with its arguments."""
    _failures: int = 0
    """How often in a row."""

    def check(self) -> None:
        """One more request is to be made.

        Raises:
            ModelError: the turn may have no more, or goes round in circles.
        """
        if self._failures >= STOPPED:
            raise ModelError(
                "turns",
                f"The model made the same call {self._failures} times in a row, and each failed. "
                "Tell it what to do instead.",
            )
        if self.most and self._asked >= self.most:
            raise ModelError(
                "turns",
                f"The model was asked {self.most:,} times for this message, and no more is allowed "
                "(max_turns). Send something, such as “go on”, to let it work on.",
            )
        self._asked += 1

    def returned(self, call: ToolCall, *, failed: bool) -> Reminded | None:
        """What the model is to be told after this call, if anything."""
        if not failed:
            self._call, self._failures = "", 0
            return None
        made = json.dumps([call.name, call.arguments], sort_keys=True, default=str)
        self._failures = self._failures + 1 if made == self._call else 1
        self._call = made
        if self._failures != TOLD:
            return None
        words = (
            f"You made the same call {TOLD} times, and it failed each time. It will fail again: "
            "change something, or say what is in the way."
        )
        return Reminded(
            tagged(REMINDER, words),
            why=f"The model was told that {call.name} has failed {TOLD} times with the same input",
        )
