"""What a test asks of a session in which hooks ran."""

from octochat.context.session.content import plain_text
from octochat.context.session.events import HookRan, Prompted, Reminded, Returned
from octochat.session.session import Session


def runs(session: Session) -> list[HookRan]:
    return [e.event for e in session.engine.log.entries if isinstance(e.event, HookRan)]


def results(session: Session) -> list[str]:
    """What the tools' results say to the model."""
    events = (entry.event for entry in session.engine.log.entries)
    return [plain_text(event.content) for event in events if isinstance(event, Returned)]


def notes(session: Session) -> list[str]:
    return [e.event.text for e in session.engine.log.entries if isinstance(e.event, Reminded)]


def prompts(session: Session) -> list[str]:
    events = (entry.event for entry in session.engine.log.entries)
    return [plain_text(event.blocks) for event in events if isinstance(event, Prompted)]
