"""The real program in a pseudo-terminal: what it prints is read, what is typed is sent."""

import errno
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.root import ROOT
from tests.waiting import source

PATIENCE = 60.0
"""Seconds after which something was not said."""


class PlainTerminal:
    """`octochat ARGUMENTS` with someone at the keyboard."""

    def __init__(self, home: Path, *arguments: str, term: str = "dumb", key: str = "") -> None:
        work = home / "work"
        work.mkdir(exist_ok=True)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ANTHROPIC_", "OCTO"))}
        environment = kept | {
            "OCTOCHAT_DATA_DIR": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "PYTHONPATH": str(ROOT),
            "TERM": term,
        }
        environment |= {"ANTHROPIC_API_KEY": key} if key else {}
        command = (sys.executable, "-m", "octochat", *arguments)
        self.pid, self._end = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs the tests may ignore it
            os.chdir(work)
            os.execvpe(command[0], command, environment)
        self.all = ""
        """All that was printed, as lines."""
        self._place = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._end >= 0:
            os.close(self._end)

    def hang_up(self) -> int:
        """Take the terminal away; the exit code then."""
        os.close(self._end)
        self._end = -1
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def until(self, words: str) -> str:
        """Read on until the words come; returns what came, the words included."""
        end = time.monotonic() + PATIENCE
        while words not in self.all[self._place :]:
            assert time.monotonic() < end, f"{words!r} did not come:\n{self.all[self._place :]}"
            assert self._more(), f"it ended before {words!r}:\n{self.all[self._place :]}"
        stop = self.all.index(words, self._place) + len(words)
        came, self._place = self.all[self._place : stop], stop
        return came

    def wait(self, done: Callable[[], bool]) -> None:
        """Until something has happened outside."""
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, f"it did not come to this:\n{source(done)}"
            assert self._more(), f"it ended before this:\n{source(done)}"

    def type(self, keys: str) -> None:
        """Press keys; nothing is sent with them."""
        if keys == "\x03":
            self._rests()
        os.write(self._end, keys.encode())

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._rests()
        os.kill(self.pid, number)

    def _rests(self) -> None:
        """Until it waits for something.

        Between the prompt and the reading of the line a signal would be heard only after the next
        key, and no person is that fast.
        """
        state = Path(f"/proc/{self.pid}/stat")
        if state.exists():
            self.wait(lambda: state.read_text().rpartition(") ")[2].startswith("S"))

    def say(self, words: str) -> str:
        """Type a line at the prompt; returns what comes until the next prompt."""
        self.type(words + "\n")
        self.until("\n")
        return self.until("you> ")

    def ended(self) -> int:
        """The exit code, once it has ended."""
        end = time.monotonic() + PATIENCE
        while self._more():
            assert time.monotonic() < end, f"it goes on:\n{self.all[self._place :]}"
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def _more(self) -> bool:
        """Whether it goes on; takes in what has come."""
        if not select.select([self._end], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self._end, 65_536)
        except OSError as error:
            if error.errno != errno.EIO:  # that is how the end of a terminal looks
                raise
            return False
        self.all += data.decode().replace("\r\n", "\n")
        return bool(data)
