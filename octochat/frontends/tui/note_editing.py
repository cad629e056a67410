"""A note in the person's own editor: the price is said first, what is saved is an event."""

import re

from textual.app import App

from octochat.context.plans.forecast import rewriting
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry
from octochat.context.session.tags import untagged
from octochat.context.session.view import Note
from octochat.engine import tasks
from octochat.frontends.tui.input.external_editor import EditorError, edit_outside
from octochat.session.session import Session
from octochat.text.figures import dollars

_FIRST = re.compile(r"\s*<!-- octochat:.*?-->\s*", re.DOTALL)


class NotEditedError(Exception):
    """The note is as it was. The message says why."""


async def note_edited(app: App[str], session: Session, wanted: str) -> Entry:
    """Open a note in the editor; the entry that says what it is now.

    Args:
        app: steps aside while the editor is open.
        session: its turn must be over.
        wanted: the note's number; empty: the latest.

    Raises:
        NotEditedError: there is no such note, or it is as it was.
    """
    engine = session.engine
    note = _number(session, wanted.lstrip("#"))
    text = None if note is None else tasks.editable(engine.state.view, note)
    if note is None or text is None:
        raise NotEditedError("There is no such note in the context; /context lists its parts.")
    before = untagged(text)
    try:
        saved = await edit_outside(app, f"{_offer(session, note)}\n\n{before}")
    except EditorError as error:
        raise NotEditedError(str(error)) from error
    after = _FIRST.sub("", saved, count=1).strip()
    entry = tasks.edit_note(engine, note, after) if after != before.strip() else None
    if entry is None:
        raise NotEditedError(f"The note #{note} is as it was.")
    return entry


def _number(session: Session, wanted: str) -> UnitId | None:
    if wanted:
        return int(wanted) if wanted.isdecimal() else None
    units = reversed(session.engine.state.view.units)
    return next((u.id for u in units if isinstance(u, Note) and u.kind == "summary"), None)


def _offer(session: Session, note: UnitId) -> str:
    tokens, cost = rewriting(session.situation, note)
    price = f", {dollars(cost)} more" if cost is not None else ""
    told = (
        f"the next request writes {tokens:,} tokens to the cache again{price}"
        if tokens
        else "it costs nothing, for the cache is cold"
    )
    return (
        f"<!-- octochat: what you save takes the place of the note #{note}; {told}. "
        "Change nothing, and nothing changes. -->"
    )
