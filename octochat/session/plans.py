"""A plan that a turn in plan mode ended with, and what the person may do with it."""

import re
from dataclasses import dataclass

from octochat.context.session.content import plain_text
from octochat.context.session.units import Step
from octochat.session.session import Session

_HEADING = re.compile(r"^#{1,4}\s*(?:the\s+)?plan\b.*$", re.IGNORECASE | re.MULTILINE)
QUESTION = "Carry out this plan?"
WAYS = (
    ("y", "yes, and ask before each change"),
    ("e", "yes, and accept edits"),
    ("c", "change it first"),
)
"""What may be answered; anything else is said to the model, and nothing is carried out."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the model would do."""

    text: str
    """From its heading on."""

    def answered(self, said: str) -> str:
        """What is to be done, given what was sent."""
        ways = {"y": "/plan go", "e": "/plan edits", "c": "/edit-plan"}
        return ways.get(said.strip().lower(), said)

    @property
    def draft(self) -> str:
        """The plan to be changed and sent, for one who wants it carried out otherwise."""
        return f"/plan go Carry out this plan, which I have edited:\n\n{self.text}"


def plan_of(session: Session) -> Plan | None:
    """The plan that waits for an answer; None where there is none."""
    units = session.engine.state.view.units
    if session.dials.mode != "plan" or session.engine.unfinished or not units:
        return None
    last = units[-1]
    if not isinstance(last, Step) or last.stop != "end_turn":
        return None
    text = plain_text(last.blocks)
    found = _HEADING.search(text)
    return Plan(text[found.start() :].strip()) if found else None
