"""The session that is to be resumed, read without opening it: it is shown while that happens."""

from collections.abc import Sequence
from math import inf

from octochat.context.session.events import Entry, Event, Prompted, Reverted, Rewound
from octochat.session.options import Options
from octochat.storage.lines import readable
from octochat.storage.sessions import NoSessionError, find, newest

LATEST = 200
"""Lines at the end of a long session that are read first; no screen shows them all."""


def session_preview(options: Options) -> Sequence[Entry]:
    """Its last exchanges as they stand there: whether all goes together is seen when it is opened.

    Empty where there is no such session, for opening it will say so.
    """
    if not (options.resume or options.go_on):
        return ()
    try:
        path = find(options.resume) if options.resume else newest(options.folder)
        data = path.read_bytes()
    except (NoSessionError, OSError):
        return ()
    return _latest(data) or tuple(readable(data))


def _latest(data: bytes) -> Sequence[Entry]:
    """Whole exchanges at the end; none if something in them is about what stands before them."""
    entries = tuple(readable(data, last=LATEST))
    if entries and entries[0].id == 1:
        return entries
    prompts = (n for n, entry in enumerate(entries) if isinstance(entry.event, Prompted))
    shown = entries[next(prompts, len(entries)) :]
    return () if any(_about(entry.event) < shown[0].id for entry in shown) else shown


def _about(event: Event) -> float:
    """The first entry that an event changes the looks of; infinite where it changes none."""
    match event:
        case Rewound(to=to):
            return to + 1
        case Reverted(condensed=condensed):
            return condensed
        case _:
            return inf
