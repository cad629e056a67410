"""What a change of a file would look like: the old and the new text, and their difference."""

import asyncio
import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from octochat.text.harmless import visible
from octochat.tools.base import Access, ToolError
from octochat.tools.seen import Seen, UnseenChangeError
from octochat.tools.textfile import Form, load, save

NEW_FILE = "new file"
"""What is noted of a file that was not there before."""
_MOST_DIFF = 100_000
"""Characters: of a longer diff only is kept how long it was."""
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

    def too_long(self, shown: str) -> str:
        """What is said instead of a difference that nobody would read."""
        old, new = len(self.before.splitlines()), len(self.after.splitlines())
        return f"{shown}: {old:,} lines before, {new:,} after: too long to compare\n"

    def preview(self, shown: str) -> str:
        """The difference as a unified diff."""
        old = visible(self.before).splitlines(keepends=True)
        new = visible(self.after).splitlines(keepends=True)
        if len(old) + len(new) > _MOST_LINES:
            return self.too_long(shown)
        name = "/dev/null" if self.new else shown
        diff = difflib.unified_diff(old, new, name, shown)
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in diff
        )


def overwriting(path: Path, shown: str, content: str, most_bytes: int, seen: Seen) -> Change:
    """What writing this content would change; a binary or huge old file counts as empty.

    Raises:
        ToolError: something is there that is no regular file, or that has changed unseen.
    """
    try:
        old = load(path, shown, most_bytes)
    except FileNotFoundError:
        return Change("", content, Form(), new=True)
    except ToolError:
        if not path.is_file():
            raise
        return Change("[the file that is there now can't be shown]\n", content, Form())
    seen.check(path, shown, old.text)
    return Change(old.text, content, old.form)


def path_of(access: Access) -> Path:
    """The file that a call changes."""
    assert access.path is not None
    return access.path


async def previewed(access: Access, change: Callable[[], Change]) -> Access:
    """The access with its diff, or with the reason for which the call is bound to fail.

    Raises:
        UnseenChangeError: the model does not know what it would change.
    """
    try:
        preview = await asyncio.to_thread(lambda: change().preview(access.target))
    except UnseenChangeError:
        raise
    except ToolError as error:
        return replace(access, fault=str(error))
    return replace(access, preview=preview)


def diff_to_keep(change: Change, shown: str) -> str:
    """The diff that the log keeps: nothing of a new file, which the call itself tells whole."""
    diff = "" if change.new else change.preview(shown)
    return diff if len(diff) <= _MOST_DIFF else change.too_long(shown)


def saved(path: Path, change: Change, shown: str, seen: Seen) -> None:
    """Write the file. Not for a thread: an interrupt must find it either written or not."""
    save(path, change.form.encode(change.after, shown), shown)
    seen.note(path, change.after)
