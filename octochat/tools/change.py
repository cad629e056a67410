"""What a change of a file would look like: the old and the new text, and their difference."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from octochat.text.harmless import visible
from octochat.tools.base import Access, ToolError
from octochat.tools.paths import missing
from octochat.tools.textfile import Form, load, save

_MOST_DIFF = 100_000
"""Characters: a longer diff is not kept; the call's arguments tell what was written."""
_MOST_LINES = 10_000
"""Above this many lines comparing takes seconds."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after."""

    before: str
    after: str
    form: Form
    new: bool = False
    """Whether there was no file before."""
    replaced: int = 0
    """How many places an edit changed."""

    def preview(self, shown: str) -> str:
        """The difference as a unified diff."""
        old = visible(self.before).splitlines(keepends=True)
        new = visible(self.after).splitlines(keepends=True)
        if len(old) + len(new) > _MOST_LINES:
            return f"{shown}: {len(old):,} lines before, {len(new):,} after: too long to compare\n"
        name = "/dev/null" if self.new else shown
        diff = difflib.unified_diff(old, new, name, shown)
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in diff
        )


def overwriting(path: Path, shown: str, content: str, most_bytes: int) -> Change:
    """What writing this content would change; a binary or huge old file counts as empty.

    Raises:
        ToolError: something is there that is no regular file.
    """
    try:
        old = load(path, shown, most_bytes)
    except FileNotFoundError:
        return Change("", content, Form(), new=True)
    except ToolError:
        if not path.is_file():
            raise
        return Change("[the file that is there now can't be shown]\n", content, Form())
    return Change(old.text, content, old.form)


def replacing(
    path: Path, shown: str, old: str, new: str, *, everywhere: bool, most_bytes: int
) -> Change:
    """What replacing one text by another would change. Line ends of the file are kept.

    Raises:
        ToolError: there is no such file, or the text is not in it exactly once.
    """
    try:
        file = load(path, shown, most_bytes)
    except FileNotFoundError as error:
        raise missing(shown, path) from error
    before = file.text
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    places = _places(before, old)
    if not places:
        raise ToolError(_not_found(shown, before, old))
    if len(places) > 1 and not everywhere:
        numbers = ", ".join(str(before.count("\n", 0, start) + 1) for start, _ in places[:10])
        raise ToolError(
            f"old_string appears {len(places)} times in {shown} (lines {numbers}): "
            "give more of the text around it, or set replace_all"
        )
    pieces: list[str] = []
    at = 0
    for start, end in places:
        ends = before[start:end]
        newline = file.form.newline if "\n" not in ends else ("\r\n" if "\r\n" in ends else "\n")
        pieces += (before[at:start], new.replace("\n", newline))
        at = end
    after = "".join((*pieces, before[at:]))
    # The pieces have their line ends already: encoding must leave them alone.
    return Change(before, after, Form(file.form.mark, file.form.encoding), replaced=len(places))


def path_of(access: Access) -> Path:
    """The file that a call changes."""
    assert access.path is not None
    return access.path


def previewed(access: Access, change: Callable[[], Change]) -> Access:
    """The access with its diff, or with the reason for which the call is bound to fail."""
    try:
        return replace(access, preview=change().preview(access.target))
    except ToolError as error:
        return replace(access, fault=str(error))


def diff_to_keep(change: Change, shown: str) -> str:
    """The diff that the log keeps: nothing of a new file, which the call itself tells whole."""
    diff = "" if change.new else change.preview(shown)
    return diff if len(diff) <= _MOST_DIFF else ""


def saved(path: Path, change: Change, shown: str) -> None:
    """Write the file. Not for a thread: an interrupt must find it either written or not."""
    save(path, change.form.encode(change.after, shown), shown)


def _places(text: str, wanted: str) -> list[tuple[int, int]]:
    r"""Where `wanted` stands; its `\n` stands for `\r\n` as well."""
    plain = text.replace("\r\n", "\n")
    # How many carriage returns were taken out before each place, found by walking along.
    found: list[tuple[int, int]] = []
    real = at = 0
    start = plain.find(wanted)
    while start >= 0:
        real, at = _advance(text, real, start - at), start
        begin = real
        real, at = _advance(text, real, len(wanted)), start + len(wanted)
        found.append((begin, real))
        start = plain.find(wanted, at)
    return found


def _advance(text: str, start: int, characters: int) -> int:
    r"""The place so many characters on, `\r\n` counted as one."""
    if "\r\n" not in text:
        return start + characters
    while characters:
        window = text[start : start + characters]
        characters = window.count("\r\n") + (
            window.endswith("\r") and text.startswith("\n", start + len(window))
        )
        start += len(window)
    return start


def _not_found(shown: str, text: str, wanted: str) -> str:
    first = next((line.strip() for line in wanted.splitlines() if line.strip()), "")
    candidates = {line.strip(): number for number, line in enumerate(text.splitlines(), 1)}
    near = difflib.get_close_matches(first, list(candidates)[:1_500], n=1, cutoff=0.7)
    hint = "read the file again"
    if first and first in candidates:
        hint = f"its first line is line {candidates[first]}; compare white space and what follows"
    elif near:
        hint = f"line {candidates[near[0]]} is near it: {near[0][:200]!r}"
    return f"old_string is not in {shown}: {hint}"
