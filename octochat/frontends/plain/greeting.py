"""What is told as a session opens: which it is, its notices, its last turns, and its offer."""

from octochat import __version__
from octochat.commands.execute import shadowed
from octochat.context.session.events import Prompted
from octochat.frontends.plain.narrator import Narrator
from octochat.frontends.plain.status import status
from octochat.session.session import Session

TURNS = 3
"""Turns of a resumed session that are told."""

ASLEEP = (
    "The cache is not kept warm here ([cache] keep_warm): with --plain nothing runs between turns."
)


def greet(narrator: Narrator, session: Session) -> None:
    """Tell all of it."""
    state = session.engine.state
    narrator.line(
        f"octochat {__version__}, {state.model} in {state.folder}. "
        "/help lists commands, Ctrl-D leaves."
    )
    for notice in (*session.notices, *shadowed(session)):
        narrator.line(f"warning: {notice}")
    if session.keeper and session.keeper.minutes:
        narrator.line(f"warning: {ASLEEP}")
    _recount(narrator, session)
    if offer := session.offer:
        narrator.line(
            f"{offer.question} {offer.key} and Enter does; anything else goes on as usual."
        )


def _recount(narrator: Narrator, session: Session) -> None:
    """Tell the last turns of a session that is gone on with."""
    entries = session.engine.log.entries
    begins = [entry.id for entry in entries if isinstance(entry.event, Prompted)]
    if not begins:
        return
    first = begins[-TURNS:][0]
    narrator.show(entries[0])
    if len(begins) > TURNS:
        narrator.line(f"({len(begins) - TURNS} earlier turns; /export writes them all)")
    for entry in entries[first - 1 :]:
        narrator.replay(entry)
    narrator.rest()
    narrator.line(status(session))
    if session.engine.unfinished:
        narrator.line("The last turn was cut off; /retry goes on with it.")
