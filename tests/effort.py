"""How much work something is, in lines of octochat that run: a busy machine changes nothing."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tests.root import ROOT

OURS = str(ROOT / "octochat")


class Work:
    """What was done so far."""

    def __init__(self) -> None:
        self.lines: int = 0

    def call(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A function is called: only octochat's own are looked at."""
        return self.line if frame.f_code.co_filename.startswith(OURS) else None

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A line is about to run."""
        self.lines += event == "line"
        return self.line


@contextmanager
def counted() -> Generator[Work]:
    """Count while the block runs, in functions that are called from it."""
    work = Work()
    before = sys.gettrace()
    sys.settrace(work.call)
    try:
        yield work
    finally:
        sys.settrace(before)


def lines_run(act: Callable[[], object]) -> int:
    """How many lines run while `act` does."""
    with counted() as work:
        act()
    return work.lines
