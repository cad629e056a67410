"""A program in a pseudo-terminal, driven and timed from outside."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyte

SIZE = (120, 40)
"""Columns and rows."""


WHO_ARE_YOU, A_TERMINAL = b"\x1b[c", b"\x1b[?62;22c"
"""A question that every terminal answers, and an answer."""


MARKED = 2004 << 5
"""Bracketed paste, as pyte numbers the private modes."""


class Terminal:
    """A program that believes a person sits before it."""

    def __init__(
        self, command: list[str], env: Mapping[str, str], folder: Path, *, answers: bool = True
    ) -> None:
        """Start the program; `answers`: the terminal answers at once who it is."""
        self._answers = answers
        self.began = time.perf_counter()
        self.written = 0
        """Bytes that the program has put out."""
        self._screen = pyte.Screen(*SIZE)
        self._stream = pyte.ByteStream(self._screen)
        self._unseen = bytearray()
        """Output that is not on the screen yet: drawing takes time that is not the program's."""
        self.pid, self._fd = pty.fork()
        if not self.pid:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs the tests may ignore it
            os.chdir(folder)
            os.execvpe(
                command[0],
                command,
                {**os.environ, **env, "COLUMNS": str(SIZE[0]), "LINES": str(SIZE[1])},
            )
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))

    def press(self, keys: str) -> float:
        """Type, and say when."""
        now = time.perf_counter()
        os.write(self._fd, keys.encode())
        return now

    def paste(self, text: str) -> None:
        """Paste, set off from typing where the program has asked for that."""
        self.lines()
        marked = MARKED in self._screen.mode
        self.press(f"\x1b[200~{text}\x1b[201~" if marked else text)

    def until(self, text: str, limit: float = 30.0) -> float:
        """Read until the program writes a text; the moment it did.

        Raises:
            TimeoutError: it never did.
        """
        wanted, seen = text.encode(), b""
        end = time.perf_counter() + limit
        while (left := end - time.perf_counter()) > 0:
            data = self._read(left)
            now = time.perf_counter()
            seen = seen[-len(wanted) * 2 :] + data
            if wanted in seen:
                return now
        raise TimeoutError(f"never seen: {text}\n" + "\n".join(self.lines()))

    def sees(self, *texts: str, limit: float = 20.0) -> list[str]:
        """Read until all the texts stand on the screen; its lines then.

        Raises:
            TimeoutError: they never did.
        """
        return self._comes_to(f"never seen: {texts}", texts, (), limit)

    def loses(self, *texts: str, limit: float = 20.0) -> list[str]:
        """Read until none of the texts stands on the screen; its lines then.

        Raises:
            TimeoutError: one of them stays.
        """
        return self._comes_to(f"still seen: {texts}", (), texts, limit)

    def _comes_to(
        self, wrong: str, there: Sequence[str], gone: Sequence[str], limit: float
    ) -> list[str]:
        end = time.perf_counter() + limit
        while (left := end - time.perf_counter()) > 0:
            screen = "\n".join(lines := self.lines())
            if all(x in screen for x in there) and not any(x in screen for x in gone):
                return lines
            self._read(min(left, 1.0))
        raise TimeoutError("\n".join([wrong, *self.lines()]))

    def rest(self, seconds: float) -> None:
        """Let it go on for a while."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)

    def lines(self) -> list[str]:
        """The screen."""
        self._stream.feed(bytes(self._unseen).replace(b"\x1b[>1u", b"").replace(b"\x1b[<u", b""))
        self._unseen.clear()
        return [line.rstrip() for line in self._screen.display]

    def wipe(self) -> None:
        """Empty the screen, as another program does that has the terminal for a while."""
        self.lines()
        self._screen.erase_in_display(2)

    @property
    def megabytes(self) -> float:
        """Resident memory."""
        status = Path(f"/proc/{self.pid}/status").read_text("utf-8")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def is_raw(self) -> bool:
        """Whether the program has the terminal to itself, key by key."""
        return not termios.tcgetattr(self._fd)[3] & termios.ICANON

    def ended(self) -> int:
        """Its exit code, once it has ended by itself."""
        while (found := os.waitpid(self.pid, os.WNOHANG)) == (0, 0):
            self._read(0.05)
        self._read(0.05)
        return os.waitstatus_to_exitcode(found[1])

    def hang_up(self) -> int:
        """Take the terminal away; the program's exit code then."""
        os.close(self._fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def end(self) -> None:
        """Kill it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    def _read(self, limit: float) -> bytes:
        ready, _, _ = select.select([self._fd], [], [], limit)
        if not ready:
            return b""
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            time.sleep(min(limit, 0.05))
            return b""
        self.written += len(data)
        if self._answers and WHO_ARE_YOU in data:
            os.write(self._fd, A_TERMINAL)
        self._unseen += data
        return data
