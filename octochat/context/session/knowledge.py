"""What a session has learned, merged by code so that it neither grows nor decays."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Knowledge:
    """One thing worth knowing for the rest of the session."""

    kind: Literal["decision", "constraint", "preference", "fact"]
    text: str
    by: Literal["model", "person"] = "model"
    """Who wanted it kept: what the person added, only the person drops."""


def merged(known: Iterable[Knowledge], learned: Iterable[Knowledge]) -> tuple[Knowledge, ...]:
    """All entries, oldest first; the same text said again counts once, as the newest."""
    latest: dict[str, Knowledge] = {}
    for entry in (*known, *learned):
        key = _key(entry.text)
        if key:
            before = latest.pop(key, None)
            latest[key] = before if before and before.by == "person" else entry
    return tuple(latest.values())


def without(known: Iterable[Knowledge], outdated: Iterable[Knowledge]) -> tuple[Knowledge, ...]:
    """What is left when entries hold no longer; what the person added, only the person drops."""
    gone = {_key(entry.text) for entry in outdated}
    return tuple(e for e in known if e.by == "person" or _key(e.text) not in gone)


def retained(known: tuple[Knowledge, ...], count: int) -> tuple[Knowledge, ...]:
    """The last `count` entries ("the last N entries ... are injected"); 0 keeps none.

    What the person added is among them, however old: models' entries make room for it.
    """
    if count <= 0:
        return ()
    room = max(count - sum(entry.by == "person" for entry in known), 0)
    models = [n for n, entry in enumerate(known) if entry.by == "model"]
    kept = frozenset(models[len(models) - room :] if room else ())
    return tuple(e for n, e in enumerate(known) if e.by == "person" or n in kept)


def _key(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()
