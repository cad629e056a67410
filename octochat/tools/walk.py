"""The files of a folder, without what git ignores and without following links out of it."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from octochat.context.codec.bounds import seconds
from octochat.context.session.content import Text
from octochat.project.ignored import NEVER, IgnoreFile, ignore_file, is_ignored
from octochat.tools.base import Output
from octochat.tools.limits import Limits, Spill
from octochat.tools.nofollow import listed


@dataclass(slots=True)
class FileWalk:
    """A search in progress: it stops when it is told to, or has looked at too much."""

    limits: Limits
    readable: Callable[[Path], bool]
    """Whether the permission rules let this file be read."""
    stop: threading.Event = field(default_factory=threading.Event)
    cut: str = ""
    """Why the search ended early; empty if it did not."""
    left_out: Counter[str] = field(default_factory=Counter[str])
    """Files and folders that were not looked at, by the reason."""
    _seen: int = 0
    _end: float = 0.0

    def files(self, root: Path) -> Iterator[Path]:
        """Regular files under a folder (or that one file), in the order of their paths."""
        self._end = time.monotonic() + seconds(self.limits.search_timeout)
        if root.is_file():
            yield root
        else:
            yield from self._under(root, ())

    def over(self) -> bool:
        """Whether to stop now; `cut` says why."""
        if self.stop.is_set():
            self.cut = "interrupted"
        elif self._seen > self.limits.walked:
            self.cut = f"stopped after {self.limits.walked:,} files: search in a narrower path"
        elif time.monotonic() > self._end:
            longest = seconds(self.limits.search_timeout)
            self.cut = f"stopped after {longest:g} seconds: search in a narrower path"
        return bool(self.cut)

    async def answer(self, search: Callable[[], str], spill: Spill, name: str) -> Output:
        """What a tool of this name found, searched in a thread; an interrupt ends it."""
        try:
            said = await asyncio.to_thread(lambda: spill.shortened(search(), name, self.limits))
            return Output((Text(said),))
        finally:
            self.stop.set()

    @property
    def remarks(self) -> Iterator[str]:
        """Why the search ended early, and what was not looked at, in words."""
        if self.cut:
            yield self.cut
        if some := [f"{n:,} {why}" for why, n in self.left_out.items() if n]:
            yield f"left out: {', '.join(some)}"

    def _under(self, folder: Path, outer: tuple[IgnoreFile, ...]) -> Iterator[Path]:
        specs = (*outer, *ignore_file(folder))
        try:
            entries = sorted(listed(folder), key=lambda entry: entry.name)
        except OSError:
            self.left_out["not readable"] += 1
            return
        for entry in entries:
            path = folder / entry.name
            if self.over():
                return
            if is_ignored(path, specs, folder=entry.folder):
                self.left_out["ignored by git"] += entry.name not in NEVER
                continue
            if entry.folder:
                yield from self._under(path, specs)
            elif entry.file:
                self._seen += 1
                if self.readable(path):
                    yield path
                else:
                    self.left_out["not allowed"] += 1
