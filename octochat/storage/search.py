"""Looks for words in all sessions: the files as they are, line by line, the newest first.

What is folded in a transcript, tool output and notes are looked through like everything else; only
the system prompt and the tools' definitions, the same in every session, are not.
"""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from octochat.storage.sessions import SessionSummary, by_time, summary
from octochat.text.harmless import harmless

SESSIONS = 500
"""The most sessions that are looked through."""
HITS = 30
"""The most sessions that are listed."""
LINES = 3
"""The most lines that are shown of each."""
SECONDS = 5.0
"""How long a search may take."""
AROUND = 60
"""Characters shown on either side of what was found."""
_SILENT = frozenset({"kind", "id", "call_id", "data", "signature", "digest", "media_type", "stop"})
"""Fields that nobody has written or read."""


@dataclass(frozen=True, slots=True)
class MatchedLine:
    """One place."""

    entry: int
    """The entry's number."""
    text: str
    """What stands around the words."""


@dataclass(frozen=True, slots=True)
class MatchedSession:
    """A session in which the words stand."""

    session: SessionSummary
    lines: tuple[MatchedLine, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What came of a search."""

    hits: tuple[MatchedSession, ...]
    looked: int
    """Sessions that were looked through."""
    cut: str = ""
    """Why there may be more; empty if there is not."""


def search(words: str, *, seconds: float = SECONDS) -> SearchResult:
    """The sessions in which the words stand as they are, upper and lower case alike."""
    end = time.monotonic() + seconds
    hits: list[MatchedSession] = []
    looked = 0
    for path in by_time():
        if looked == SESSIONS:
            return SearchResult(
                tuple(hits), looked, f"only the newest {SESSIONS} were looked through"
            )
        if len(hits) == HITS:
            return SearchResult(tuple(hits), looked, f"only the first {HITS} are listed")
        if time.monotonic() > end:
            return SearchResult(tuple(hits), looked, f"the search ended after {seconds:g} s")
        looked += 1
        lines = tuple(_first(_lines(path, words.casefold(), end)))
        about = summary(path) if lines else None
        if about:
            hits.append(MatchedSession(about, lines))
    return SearchResult(tuple(hits), looked)


def _first(lines: Iterable[MatchedLine]) -> Iterator[MatchedLine]:
    return (line for line, _ in zip(lines, range(LINES), strict=False))


def _lines(path: Path, words: str, end: float) -> Iterator[MatchedLine]:
    """The places in a file; what can't be read is passed over."""
    written = json.dumps(words, ensure_ascii=False)[1:-1]
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for raw in file:
                if time.monotonic() > end:
                    return
                if written in raw.casefold():
                    yield from _places(raw, words)
    except OSError:
        return


def _places(raw: str, words: str) -> Iterator[MatchedLine]:
    try:
        entry: Any = json.loads(raw)
        event, number = entry["event"], entry["id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if not isinstance(event, dict) or type(number) is not int:
        return
    if cast("dict[str, Any]", event).get("kind") == "opened":
        return
    for text in _texts(cast("object", event)):
        if found := _around(text, words):
            yield MatchedLine(number, found)
            return


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for key, inner in cast("dict[str, object]", value).items():
                if key not in _SILENT:
                    yield from _texts(inner)
        case list():
            for inner in cast("list[object]", value):
                yield from _texts(inner)
        case _:
            return


def _around(text: str, words: str) -> str:
    """The line on which the words stand, cut to what is around them."""
    for line in text.splitlines():
        place = line.casefold().find(words)
        if place >= 0:
            start, stop = max(place - AROUND, 0), place + len(words) + AROUND
            before, after = "…" if start else "", "…" if stop < len(line) else ""
            return before + harmless(line[start:stop]).strip() + after
    return ""
