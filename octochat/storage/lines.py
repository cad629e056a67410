"""The lines of a session file as entries: one JSON object a line, the format's version first.

It knows what a file may hold and what to do about one that holds something else; not how files are
locked and written. Format: line 1 is `{"octochat": VERSION}`, every other line an `Entry` and its
seal (`seal.py`); ids count from 1 in the order of the lines.
"""

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from octochat.context.codec.trees import from_tree, to_tree
from octochat.context.session.events import Entry, Opened
from octochat.context.session.state import State, advance, replay
from octochat.storage.seal import has_seal, is_sealed, seal, unsealed

FORMAT = 4
"""The version that this octochat writes. 2 added the event `recalled`, 3 `note_edited`,
`hinted`, `kept_warm`, `instructed` and `reminded`, 4 `hook_ran`, `tool_loaded`, `tool_withdrawn`
and `block_refused`; older ones are read as they are."""
LATEST = 1e11
"""Seconds since the epoch that no entry was written after (the year 5138)."""


class LogError(Exception):
    """The session file can't be read or written. `str(error)` says what to do."""


def split(data: bytes) -> tuple[bytes, bytes]:
    """The whole lines, and what follows the last of them or can't be an entry at the end.

    A kill can leave a line without its end; a crash of the machine can leave a block of zeros in
    the last line. More than that is damage, and nothing to be cut off silently: neither is a last
    line that was written as an entry, nor a file without any line that is no torn first one.
    """
    end = data.rfind(b"\n") + 1
    if is_sealed(data[end:-1]):
        return data, b""  # only the byte that should end it is damaged
    last = data.rfind(b"\n", 0, end - 1) + 1
    if last and not _is_json(data[last:end]) and not _was_entry(data[last:end]):
        end = last
    if not end and not first_line().encode().startswith(data.rstrip(b"\0")):
        end = len(data)
    return data[:end], data[end:]


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _was_entry(line: bytes) -> bool:
    """Whether it was written to its end once; a machine that crashed leaves zeros in a row."""
    return (line.startswith(b'{"id":') or has_seal(line)) and b"\0\0" not in line


def read(whole: bytes, path: Path) -> tuple[list[Entry], State]:
    """The entries of a session file's whole lines, and what they lead to.

    Raises:
        LogError: the file is of another kind or a newer version, or a line is damaged.
    """
    if not whole:
        return [], State()
    header, *lines = whole.removesuffix(b"\n").split(b"\n")
    _check_header(header, path)
    if not whole.endswith(b"\n") and not lines:
        raise LogError(f"{path} is not an octochat session; move the file elsewhere.")
    entries: list[Entry] = []
    places: list[int] = []
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        try:
            entries.append(_checked(decode(line), len(entries) + 1))
        except (ValueError, RecursionError) as error:
            raise _damaged(path, number, str(error), len(entries)) from error
        places.append(number)
    if not whole.endswith(b"\n"):
        raise _damaged(path, len(lines) + 1, "its last byte is no line end", len(entries) - 1)
    return entries, _story(entries, places, path)


def readable(data: bytes, *, last: int | None = None) -> Iterator[Entry]:
    """The entries of a session file that may be damaged; what is none is left out.

    `last` looks at so many lines at the end only.
    """
    lines = data.split(b"\n")[1:]
    for line in lines if last is None else lines[-last:]:
        with suppress(ValueError, RecursionError):
            entry = decode(line)
            yield _checked(entry, entry.id)


def _check_header(line: bytes, path: Path) -> None:
    try:
        header: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, 1, str(error), 0) from error
    version = cast("dict[str, object]", header).get("octochat") if isinstance(header, dict) else 0
    if type(version) is not int or version < 1:
        raise LogError(f"{path} is not an octochat session; move the file elsewhere.")
    if version > FORMAT:
        raise LogError(
            f"{path} was written by a newer octochat (format {version}, this one reads up to "
            f"{FORMAT}). Update octochat to open it."
        )


def _checked(entry: Entry, number: int) -> Entry:
    """The entry, if it can be the one with this number.

    Raises:
        ValueError: it can't.
    """
    if entry.id != number:
        raise ValueError(f"it is entry {entry.id} where {number} was expected")
    if number == 1 and not isinstance(entry.event, Opened):
        raise ValueError("the opening of the session is missing")
    if not 0 <= entry.at <= LATEST:
        raise ValueError(f"at: {entry.at:g} is not a time")
    if entry.size < 0:
        raise ValueError(f"size: {entry.size} is not a number of tokens")
    return entry


_BROKEN = (ValueError, LookupError, ArithmeticError, RecursionError)
"""What comes of entries that do not go together, as a fold of messages that were never there."""


def _story(entries: Sequence[Entry], places: Sequence[int], path: Path) -> State:
    """What the entries lead to; they have to go together, but for what a rewind has undone.

    Raises:
        LogError: one names what is not there.
    """
    try:
        return replay(entries)
    except _BROKEN:
        state = State()
        for n, entry in enumerate(entries):
            try:
                state = advance(state, entry, entries[: n + 1])
            except _BROKEN as error:
                why = f"it does not go with the lines before it: {error}"
                raise _damaged(path, places[n], why, n) from error
        raise


def _damaged(path: Path, number: int, why: str, before: int) -> LogError:
    """The error for a line, with what to do; `before` is the number of entries before it."""
    what = f"{path}: line {number} is damaged ({why})."
    if not before:
        return LogError(f"{what} Move the file away.")
    saved = path.with_name(f"{path.stem}-saved{path.suffix}")
    copy = f"head -n {number - 1} {shlex.quote(str(path))} > {shlex.quote(str(saved))}"
    return LogError(
        f"{what} To save what stands before it: {copy}; then octochat -r {shlex.quote(saved.stem)}"
    )


def first_line() -> str:
    """The first line of a session file."""
    return json.dumps({"octochat": FORMAT})


def encode(entry: Entry) -> str:
    """An entry as one sealed line of JSON, always valid UTF-8: half characters are spelled out."""
    text = json.dumps(to_tree(entry), ensure_ascii=False, separators=(",", ":"))
    body = text.encode("utf-8", "backslashreplace")
    return body.decode() + seal(body)


def decode(line: bytes) -> Entry:
    """An entry from its line.

    Raises:
        ValueError: it is none, or not as it was written.
        RecursionError: it is none, and nested deeper than any.
    """
    return from_tree(Entry, json.loads(unsealed(line)))
