"""The files of a folder, without what git ignores and without following links out of it."""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from octochat.context.codec.bounds import seconds
from octochat.context.session.content import Text
from octochat.project.ignored import IgnoreFile, ignore_file, is_ignored
from octochat.tools.base import Output
from octochat.tools.limits import Limits, Spill


@dataclass(slots=True)
class FileWalk:
    """A search in progress: it stops when it is told to, or has looked at too much."""

    limits: Limits
    readable: Callable[[Path], bool]
    """Whether the permission rules let this file be read."""
    stop: threading.Event = field(default_factory=threading.Event)
    cut: str = ""
    """Why the search ended early; empty if it did not."""
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

    async def answer(self, hits: Iterator[str], spill: Spill, name: str) -> Output:
        """What a tool of this name found, searched in a thread; an interrupt ends it."""
        try:
            found = await asyncio.to_thread(self._searched, hits, spill, name)
            return Output((Text(found or "[no matches]"),))
        finally:
            self.stop.set()

    def _searched(self, hits: Iterator[str], spill: Spill, name: str) -> str:
        most = self.limits.matches
        found = list(islice(hits, most + 1))
        if len(found) > most:
            self.cut = f"more than {most:,} matches: make the pattern narrower"
        note = [f"[{self.cut}]"] if self.cut else []
        return spill.shortened("\n".join((*found[:most], *note)), name, self.limits)

    def _under(self, folder: Path, outer: tuple[IgnoreFile, ...]) -> Iterator[Path]:
        specs = (*outer, *ignore_file(folder))
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if self.over():
                return
            if is_ignored(path, specs, folder=is_folder):
                continue
            if is_folder:
                yield from self._under(path, specs)
            elif entry.is_file(follow_symlinks=False):
                self._seen += 1
                if self.readable(path):
                    yield path
