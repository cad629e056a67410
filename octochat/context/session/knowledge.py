"""What a session has learned, merged by code so that it neither grows nor decays."""

import re
from collections.abc import Iterable

from octochat.context.session.events import Knowledge


def merged(known: Iterable[Knowledge], learned: Iterable[Knowledge]) -> tuple[Knowledge, ...]:
    """All entries, oldest first; the same text said again counts once, as the newest."""
    latest: dict[str, Knowledge] = {}
    for entry in (*known, *learned):
        key = _key(entry.text)
        if key:
            latest.pop(key, None)
            latest[key] = entry
    return tuple(latest.values())


def retained(known: tuple[Knowledge, ...], count: int) -> tuple[Knowledge, ...]:
    """The last `count` entries ("the last N entries ... are injected"); 0 keeps none."""
    return known[-count:] if count > 0 else ()


def _key(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()
