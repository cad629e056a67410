"""Where sessions are kept, what their files are called, and what there is to go on with.

Reads session files without opening them for writing; a file that can't be read is left out.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeGuard, cast

from octochat.context.codec.decode import LARGEST
from octochat.context.session.ran import ran_in
from octochat.storage.data_folder import data_folder

SUFFIX = ".jsonl"
PREVIEWS = 20
"""How many of a session's prompts a list can show."""
LISTED = 500
"""Sessions in a list."""


class NoSessionError(Exception):
    """There is no such session. `str(error)` says what there is."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One session, for a list."""

    id: str
    path: Path
    updated: float
    """Seconds since the epoch."""
    folder: str = ""
    """The working folder."""
    title: str = ""
    model: str = ""
    turns: int = 0
    """Prompts that the person wrote."""
    cost: float = 0.0
    """Dollars, as far as prices were known."""
    preview: tuple[str, ...] = ()
    """The first lines of what the person said, oldest first."""


def sessions_folder() -> Path:
    """Where the session files are."""
    return data_folder() / "sessions"


def spill_folder(session: str) -> Path:
    """Where a session's long tool results are."""
    return data_folder() / "results" / session


def index_path(session: str) -> Path:
    """Where the full-text index of a session is."""
    return data_folder() / "index" / f"{session}.db"


def new_path(now: float) -> Path:
    """A file name for a session that begins now; it sorts by time."""
    stamp = datetime.fromtimestamp(now, UTC).strftime("%Y%m%d-%H%M%S")
    return sessions_folder() / f"{stamp}-{secrets.token_hex(3)}{SUFFIX}"


def newest(folder: Path, *, other_than: str = "") -> Path:
    """The session that was last used in a working folder, but for the one with that id.

    One that was killed before anything happened in it is none to go on with.

    Raises:
        NoSessionError: there is none.
    """
    for path in by_time():
        if path.stem != other_than and _opened(path).get("folder") == str(folder) and _used(path):
            return path
    raise NoSessionError(f"There is no earlier session in {folder}. Start one without -c.")


def find(wanted: str) -> Path:
    """The session whose id begins with `wanted`.

    Raises:
        NoSessionError: there is none, or more than one.
    """
    matches = [path for path in by_time() if path.stem.startswith(wanted)]
    whole = [path for path in matches if path.stem == wanted]
    if len(matches) == 1 or whole:
        return (whole or matches)[0]
    if matches:
        names = ", ".join(path.stem for path in matches[:5])
        raise NoSessionError(f"Several sessions begin with {wanted}: {names}. Give more of the id.")
    raise NoSessionError(f"There is no session {wanted}. `octochat -r` lists them.")


def listed(limit: int = LISTED) -> tuple[SessionSummary, ...]:
    """The sessions, the last used first."""
    summaries = (summary(path) for path, _ in zip(by_time(), range(limit), strict=False))
    return tuple(found for found in summaries if found is not None and found.turns)


def summary(path: Path) -> SessionSummary | None:
    """What a list shows of a session; None where the file is no session."""
    found = SessionSummary(path.stem, path, _time(path))
    seen = False
    for entry in _entries(path):
        seen = seen or entry["event"]["kind"] == "opened"
        found = _with(found, entry)
    first = found.preview[0] if found.preview else ""
    return replace(found, title=found.title or first) if seen else None


def _with(found: SessionSummary, entry: Mapping[str, Any]) -> SessionSummary:
    event: Mapping[str, Any] = entry["event"]
    match event["kind"]:
        case "opened":
            folder, model = _words(event.get("folder")), _words(event.get("model"))
            return replace(found, folder=folder, model=model)
        case "prompted":
            preview = (*found.preview, _first_line(event))[:PREVIEWS]
            return replace(found, turns=found.turns + 1, preview=preview)
        case "replied" | "condensed" | "held" if not event.get("ignored"):
            return replace(found, cost=found.cost + _number(event.get("cost")))
        case "titled":
            return replace(found, title=_words(event.get("title")))
        case _:
            return found


def _words(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    return value if isinstance(value, int | float) and 0 <= value <= LARGEST else 0.0


def by_time() -> Iterator[Path]:
    """All session files, the last used first."""
    try:
        found = [(path.stat().st_mtime, path) for path in sessions_folder().glob(f"*{SUFFIX}")]
    except OSError:
        return
    for _, path in sorted(found, reverse=True):
        yield path


def folder_of(path: Path) -> str:
    """The working folder of a session; empty where the file does not say."""
    return _words(_opened(path).get("folder"))


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _opened(path: Path) -> Mapping[str, Any]:
    for entry in _entries(path):
        return cast("Mapping[str, Any]", entry.get("event", {}))
    return {}


def _used(path: Path) -> bool:
    """Whether anything happened in it but its opening."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            next(file, None)
            return any(
                entry["event"]["kind"] not in ("opened", "skill_loaded")
                for line in file
                for entry in _entry(line)
            )
    except OSError:
        return False


_WANTED = ('"opened"', '"prompted"', '"replied"', '"condensed"', '"titled"')


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """The entries that a list needs, each line parsed alone; broken ones are left out."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            next(file, None)
            for line in file:
                if any(word in line[:400] for word in _WANTED) or '"cost"' in line:
                    yield from _entry(line)
    except OSError:
        return


def _entry(line: str) -> Iterator[dict[str, Any]]:
    with suppress(ValueError, RecursionError):
        match json.loads(line):
            case {"event": {"kind": str()}} as entry:
                yield cast("dict[str, Any]", entry)
            case _:
                pass


def _first_line(event: Mapping[str, Any]) -> str:
    match event.get("blocks"):
        case [*blocks]:
            texts = (block["text"] for block in blocks if _has_text(block))
            lines = (text.strip().splitlines() for text in texts if ran_in(text) is None)
            return next((found[0][:200] for found in lines if found), "")
        case _:
            return ""


def _has_text(block: object) -> TypeGuard[Mapping[str, str]]:
    match block:
        case {"text": str()}:
            return True
        case _:
            return False
