"""The session file, appended and never rewritten: opened, locked, and written line by line.

One that somebody removes is written anew from memory.

It knows how entries are kept, not what they mean, nor what a line looks like (`lines.py`).
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from octochat.context.session.events import Entry, Event
from octochat.context.session.state import State, advance
from octochat.context.session.survivors import Survivors
from octochat.storage.lines import LogError, encode, first_line, read, split
from octochat.storage.lock import is_at, locked

__all__ = ["Log", "LogError"]


class Log:
    """A session's entries, in memory and (if it has a path) on disk.

    One writer at a time: the file is locked until `close`. An entry that `append` returns is on
    disk; one that could not be written whole is neither on disk nor in memory.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        weigh: Callable[[Event], int],
        clock: Callable[[], float],
        sleep: Callable[[float], object] = time.sleep,
        warn: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Open the session at `path`, new or old, or keep one in memory only.

        Args:
            path: the session file; its folder is made if need be. None: nothing is written.
            weigh: tokens of what an event adds to the view.
            clock: seconds since the epoch.
            sleep: how to wait a moment for another octochat that is about to close it.
            warn: what to tell the person, in a sentence.

        Raises:
            LogError: another octochat has it open, it is damaged, or the disk refuses.
        """
        self.path: Path | None = path
        self.repaired: str = ""
        """What was wrong with the end of the file and was put right; empty if nothing."""
        self._weigh: Callable[[Event], int] = weigh
        self._clock: Callable[[], float] = clock
        self._sleep: Callable[[float], object] = sleep
        self._warn: Callable[[str], object] = warn
        self._entries: list[Entry] = []
        self._survivors: Survivors = Survivors()
        self._read: tuple[int, State] = (0, State())
        """How many entries the file had when it was opened, and what they led to."""
        self._file: BinaryIO | None = None
        self._size: int = 0
        """Bytes of the file that are whole lines."""
        if path is not None:
            self._open(path)

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, oldest first."""
        return self._entries

    @property
    def surviving(self) -> Sequence[Entry]:
        """Those that no rewind and no revert has undone, oldest first.

        They grow with the log: who reads them in a thread takes a copy.
        """
        return self._survivors.entries

    @property
    def id(self) -> str:
        """The session's id: the file's name."""
        return self.path.stem if self.path else ""

    def state(self) -> State:
        """What the entries lead to: worked out from where the file was read, not anew."""
        number, state = self._read
        for n, entry in enumerate(self._entries[number:], number + 1):
            state = advance(state, entry, self._entries[:n])
        return state

    def append(self, event: Event) -> Entry:
        """Write one event down and return its entry.

        Raises:
            LogError: it could not be written; the log is as it was.
        """
        at = self._clock()
        if self._entries:
            at = max(at, self._entries[-1].at)
        entry = Entry(len(self._entries) + 1, at, self._weigh(event), event)
        if self._file is not None:
            self._write(encode(entry))
        self._entries.append(entry)
        self._survivors.add(self._entries)
        return entry

    def close(self) -> None:
        """Give the file, and its lock, back."""
        if self._entries:
            with suppress(LogError):  # whoever closes can't do more
                self._put_back()
        self._release()

    def discard(self) -> None:
        """Close a session that nobody needs, and remove its file."""
        if self.path is not None and self._file is not None:
            self.path.unlink(missing_ok=True)  # while it is locked: nobody has begun to use it
        self._release()

    def _open(self, path: Path) -> None:
        try:
            self._file = file = locked(path, self._sleep)
            self._load(path, file)
        except BlockingIOError as error:
            self._release()
            raise LogError(
                f"The session {path.stem} is open in another octochat. "
                "Close that one, or start a new session."
            ) from error
        except OSError as error:
            self._release()
            raise LogError(
                f"The session {path} can't be opened: {error.strerror}. "
                "Set OCTOCHAT_DATA_DIR to a folder that can be written."
            ) from error
        except BaseException:
            self._release()
            raise

    def _load(self, path: Path, file: BinaryIO) -> None:
        whole, torn = split(file.read())
        self._entries, state = read(whole, path)
        self._read = len(self._entries), state
        self._survivors = Survivors(self._entries)
        self._size = len(whole)
        if torn:
            file.truncate(len(whole))
            self.repaired = (
                f"The end of the session file was incomplete ({len(torn)} bytes of an entry that "
                "was never shown); octochat removed it."
            )
        if not whole:
            self._write(first_line())

    def _release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _put_back(self) -> None:
        """Write the whole session anew if somebody removed its file.

        Raises:
            LogError: something else has its name now, or the disk refuses.
        """
        if self._file is None or self.path is None or is_at(self.path, self._file):
            return
        lines = [first_line(), *map(encode, self._entries)]
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            file = locked(self.path, self._sleep)
        except OSError as error:
            raise self._refused(error) from error
        if os.fstat(file.fileno()).st_size:
            file.close()
            raise LogError(
                f"Something else is at {self.path} now, where the session was. Nothing is lost: "
                "move it away and send it again."
            )
        try:
            self._write_all(file, data, 0)
        except LogError:
            file.close()
            raise
        self._release()
        self._file, self._size = file, len(data)
        self._warn(f"Somebody removed the session file {self.path}. octochat wrote it anew.")

    def _write(self, line: str) -> None:
        self._put_back()
        if self._file is None:
            return
        data = line.encode() + b"\n"
        self._write_all(self._file, data, self._size)
        self._size += len(data)

    def _write_all(self, file: BinaryIO, data: bytes, size: int) -> None:
        """Write behind the first `size` bytes of the file, or leave it with these.

        Raises:
            LogError: the disk refuses.
        """
        try:
            if os.fstat(file.fileno()).st_size != size:
                file.truncate(size)  # a half line that could not be taken back before
            written = 0
            while written < len(data):
                written += file.write(data[written:])
            os.fdatasync(file.fileno())
        except OSError as error:
            _take_back(file, size)
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> LogError:
        return LogError(
            f"The session can't be written to {self.path}: {error.strerror}. Nothing is lost: "
            "make room (or make the folder writable) and send it again."
        )


def _take_back(file: BinaryIO, size: int) -> None:
    """Cut off a half-written line; one that stays is cut off before the next is written."""
    with suppress(OSError):
        file.truncate(size)
