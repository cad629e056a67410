"""What 10 MB of foreign text cost beside 1 MB, in ten nasty shapes, for all that reads it.

Run `python -m tests.benchmarks.long_text`. Ten times the text may take ten times as long; more
means that some pattern looks at the same letters again and again. What is drawn is never that
long (answers and results are bounded): for that it is 300 kB beside 30.
"""

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from octochat.frontends.tui.render.diff import numbered
from octochat.frontends.tui.render.highlight import highlight
from octochat.frontends.tui.render.markdown import markdown
from octochat.permissions.commandline import may_run, simple_commands
from octochat.permissions.danger import dangers
from octochat.tools.base import Access
from octochat.tools.capture import Capture
from octochat.tools.change import Change
from octochat.tools.limits import Limits, Spill
from octochat.tools.textfile import Form
from tests.text.test_long_text import READERS

SHAPES = ("a", "word ", "/a", '"', "'a ", "ab\r", "\x1b[", "```\n", "$(", "A. 表\n")
LONG, DRAWN = 10_000_000, 300_000
"""Characters: of what is read, and of what is drawn. The short text has a tenth of them."""
MOST = 20.0
"""Times as long: ten, and what a busy machine adds. The square would be a hundred."""
NOTHING = 0.05
"""Seconds below which nothing can be said."""
LIMIT = 120.0
"""Seconds for one text."""


def captured(text: str) -> object:
    """What a command prints, piece by piece."""
    with tempfile.TemporaryDirectory() as folder:
        capture, data = Capture(Limits(), Spill(Path(folder))), text.encode()
        for start in range(0, len(data), 65_536):
            capture.add(data[start : start + 65_536])
        return capture.finish()


READ: dict[str, Callable[[str], object]] = {
    **READERS,
    "capture": captured,
    "diff": lambda text: Change("", text, Form()).preview("a"),
    "simple_commands": simple_commands,
    "may_run": lambda text: may_run(("git", "push", "*"), text),
    "dangers": lambda text: dangers(Access(kind="run", target=text)),
}
DRAW: dict[str, Callable[[str], object]] = {
    "markdown": lambda text: markdown(text, 80),
    "highlight": lambda text: highlight(text, "python"),
    "drawn diff": lambda text: numbered(f"--- a\n+++ b\n@@ -0,0 +1 @@\n+{text}"),
}


def seconds(reader: str, shape: str, length: int) -> float | None:
    """Seconds of processor time for so much of it; None if it is not done in time."""
    mine, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_read, args=(reader, shape, length, theirs))
    process.start()
    took: float | None = mine.recv() if mine.poll(LIMIT) else None
    process.kill()
    process.join()
    return took


def _read(reader: str, shape: str, length: int, told: Connection) -> None:
    text = shape * (length // len(shape))
    began = time.process_time()
    (READ | DRAW)[reader](text)
    told.send(time.process_time() - began)


def worst(reader: str) -> tuple[float, str]:
    """How many times as long 10 MB take, for the worst shape."""
    found: list[tuple[float, str]] = []
    for shape in SHAPES:
        length = LONG if reader in READ else DRAWN
        short, long = (seconds(reader, shape, letters) for letters in (length // 10, length))
        if short is None or long is None:
            found.append((float("inf"), shape))
        elif long > NOTHING:
            found.append((long / max(short, NOTHING / 10), shape))
    return max(found, default=(0.0, ""))


def main() -> int:
    """Print each reader's worst shape; 1 if one takes too long."""
    missed = False
    for reader in READ | DRAW:
        times, shape = worst(reader)
        missed |= times > MOST
        sys.stdout.write(f"{'✗' if times > MOST else '✓'} {reader:<16}{times:6.1f} x  {shape!r}\n")
        sys.stdout.flush()
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
