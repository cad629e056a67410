"""A session that begins where another one stood: the same entries, in a file of its own.

The copy is a beginning of the log, undone entries included: folds, pins and rewinds name entries
by their numbers, so the numbers must stay. What was paid stays on the other session's bill; tokens,
sizes and times stay, for the context and the expected calls are reckoned from them.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from octochat.context.session.events import (
    Condensed,
    Entry,
    EntryId,
    Event,
    Held,
    Opened,
    Prompted,
    Replied,
    Titled,
)
from octochat.context.session.ran import own_words
from octochat.context.session.state import surviving
from octochat.storage.lines import encode, first_line

PREFIX = "Fork of "
TITLE_MOST = 200
"""Characters of a title."""


def prompts(log: Sequence[Entry]) -> tuple[tuple[EntryId, str], ...]:
    """What the person said and did not undo, oldest first: where a fork can begin."""
    return tuple(
        (entry.id, own_words(entry.event.blocks))
        for entry in surviving(log)
        if isinstance(entry.event, Prompted)
    )


def title(log: Sequence[Entry]) -> str:
    """The session's name: the one that was given, or the first line of the first request."""
    given = [entry.event.title for entry in log if isinstance(entry.event, Titled)]
    said = (text.strip() for _, text in prompts(log))
    first = next((text.splitlines()[0] for text in said if text), "")
    return (given[-1] if given else first)[:TITLE_MOST]


def fork(log: Sequence[Entry], session: str, before: EntryId | None, path: Path, at: float) -> None:
    """Write the new session's file, whole or not at all.

    Args:
        log: the entries to begin with.
        session: the id of the session they are from.
        before: the first entry that is left out; None: none is.
        path: the new file.
        at: now, in seconds since the epoch.

    Raises:
        OSError: it could not be written, or the file exists.
    """
    taken = [entry for entry in log if before is None or entry.id < before]
    origin = session if before is None else f"{session}, before #{before}"
    name = PREFIX + title(log).removeprefix(PREFIX)
    copied = [replace(entry, event=_copied(entry.event, origin)) for entry in taken]
    copied.append(Entry(len(taken) + 1, max(at, taken[-1].at), 0, Titled(name)))
    _write(path, [first_line(), *map(encode, copied)])


def _copied(event: Event, origin: str) -> Event:
    match event:
        case Opened():
            return replace(event, origin=origin)
        case Replied() | Condensed() | Held():
            return replace(event, cost=0.0)
        case _:
            return event


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(_encoded(lines))
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)
    finally:
        part.unlink()


def _encoded(lines: Sequence[str]) -> Iterator[bytes]:
    return (line.encode("utf-8", "surrogatepass") + b"\n" for line in lines)
