"""`/diff`: all that the session's tools changed, by file. What commands did to files, git knows."""

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from itertools import dropwhile
from pathlib import Path

from octochat.commands.base import Command, Report, Saying
from octochat.commands.net_diff import net_diff
from octochat.context.session.content import ToolCall
from octochat.context.session.events import Entry, Replied, Returned
from octochat.session.session import Session
from octochat.text.figures import count
from octochat.text.harmless import harmless, visible
from octochat.text.secrets import masked
from octochat.tools.base import FROM_NOTHING, ToolError
from octochat.tools.change import NEW_FILE
from octochat.tools.facts import facts_of
from octochat.tools.textfile import load

NOTHING = "No tool has changed a file in this session. What commands changed, git diff shows."


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What was done to one file."""

    path: str
    """Seen from the working folder, if the file is in it."""
    diffs: tuple[str, ...]
    """The whole difference as one unified diff; where that is not known, one for each change."""
    changes: int = 1
    """How many changes there were."""
    apart: str = ""
    """Why what they come to is not known, or how it is known without a line of it."""

    @property
    def counts(self) -> tuple[int, int]:
        """Lines that were added and lines that were taken away, summed over the changes."""
        lines = [line for diff in self.diffs for line in _hunks(diff)]
        return sum(x.startswith("+") for x in lines), sum(x.startswith("-") for x in lines)

    @property
    def head(self) -> tuple[str, str, str, str]:
        """The file's name, lines added, lines taken away, and in how many changes if several."""
        added, removed = self.counts
        if not self.diffs:
            ended = f"  {self.apart or 'as it was'}  after {count(self.changes, 'change')}"
            return self.path, "", "", ended
        times = f"  in {self.changes} changes" if self.changes > 1 else ""
        apart = ", each by itself: " if times else "  "
        why = f"{apart}{self.apart}" if self.apart else ""
        return self.path, f"  +{added}", f"  −{removed}", f"{times}{why}"


def session_diff(entries: Iterable[Entry], folder: str) -> tuple[FileDiff, ...]:
    """The changes of every file, in the order in which the files were first changed.

    Changes of turns that were undone are among them: the files have kept them.
    """
    found: dict[str, list[str]] = {}
    calls: dict[str, ToolCall] = {}
    for entry in entries:
        match entry.event:
            case Replied(blocks=blocks):
                calls |= {block.id: block for block in blocks if isinstance(block, ToolCall)}
            case Returned(call_id=call_id, failed=False) as done if call := calls.get(call_id):
                if changed := done.diff or _from_arguments(call, done.note):
                    found.setdefault(_path(call, folder), []).append(changed)
            case _:
                pass
    return tuple(FileDiff(path, tuple(diffs), len(diffs)) for path, diffs in found.items())


async def net_changes(session: Session) -> tuple[FileDiff, ...]:
    """The same with what the changes of a file come to, as far as the file still tells it."""
    folder = session.engine.state.folder
    files = session_diff(tuple(session.engine.log.entries), folder)
    most = session.config.tools.file_bytes
    return await asyncio.to_thread(lambda: tuple(_net(file, Path(folder), most) for file in files))


def _net(file: FileDiff, folder: Path, most_bytes: int) -> FileDiff:
    try:
        now = load(folder / file.path, file.path, most_bytes).text
    except FileNotFoundError:
        if file.diffs[0].startswith(FROM_NOTHING):
            return replace(file, diffs=(), apart="gone again")
        return replace(file, apart="the file is gone")
    except ToolError:
        return replace(file, apart="the file can't be read")
    if not all(any(_hunks(diff)) for diff in file.diffs):
        return replace(file, apart="too long to compare") if file.changes > 1 else file
    diff = net_diff(file.diffs, masked(visible(now))[0], file.path)
    if diff is None:
        return replace(file, apart="the file has changed since")
    return replace(file, diffs=(diff,) if diff else ())


def _from_arguments(call: ToolCall, note: str) -> str:
    """The change in the call's own words: of a new file all of it."""
    texts = facts_of(call).texts(call)
    if texts is None or not (texts[0] or NEW_FILE in note):
        return ""
    old, new = (text.splitlines() for text in texts)
    name = str(call.arguments.get("file_path", ""))
    return "\n".join(unified_diff(old, new, name if old else "/dev/null", name, lineterm=""))


def _path(call: ToolCall, folder: str) -> str:
    # By text alone: no file is looked at, and of an unknown user the name stays as it is.
    named = os.path.expanduser(str(call.arguments.get("file_path", "")))  # noqa: PTH111
    path = os.path.normpath(os.path.join(folder, named))  # noqa: PTH118
    inside = os.path.relpath(path, folder) if folder else path
    return path if inside.startswith("..") else inside


def _hunks(diff: str) -> Iterator[str]:
    """The lines of a diff from its first part on: a removed `-- x` looks like a header."""
    return dropwhile(lambda line: not line.startswith("@@"), diff.splitlines())


def diff_text(files: Sequence[FileDiff]) -> str:
    """The changes as plain text."""
    if not files:
        return NOTHING
    parts = [count(len(files), "file")]
    for file in files:
        bodies = ("\n".join(_hunks(diff)) for diff in file.diffs)
        parts.append("\n".join(("".join(file.head), *bodies)))
    return harmless("\n\n".join(parts))


async def _diff(session: Session, _rest: str) -> Saying:
    files = await net_changes(session)
    data = [
        {
            "path": f.path,
            "added": f.counts[0],
            "removed": f.counts[1],
            "changes": f.changes,
            "diffs": list(f.diffs),
        }
        for f in files
    ]
    yield Report(diff_text(files), {"files": data})


DIFF_COMMANDS: tuple[Command, ...] = (
    Command("diff", "", "all that the session changed, by file", _diff, at_once=True),
)
"""Those that both front ends have."""
