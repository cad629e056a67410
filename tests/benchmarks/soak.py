"""A session of thousands of exchanges in the real chat, with compressions: does anything grow?

Run `python -m tests.benchmarks.soak --exchanges 3000`. It is the whole app on Textual's pilot, with
the offline model, whose notes octochat writes itself. The session's log grows, as it must; what an
exchange takes may not. Machines change their speed in ten minutes: beside every exchange stands
what a fixed piece of work took.
"""

import argparse
import asyncio
import gc
import resource
import sys
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from octochat.context.session.events import Condensed
from octochat.models.offline import Offline
from tests.frontends.tui.stage import Stage, on_stage

LOW = """
[compression]
require_benefit = false
note_max_tokens = 600

[[compression.pressure_levels]]
threshold = 6000
target_ratio = 2.0
"""
"""A compression comes after a few files were read."""
SAYS = ("read notes.txt", "search Shop", "list files", "count to 9", "read README.md")
SIZE = (80, 24)
"""Columns and rows."""
A_LOOK = 0.01
"""Seconds between two looks if the model is done."""
EVERY = 10
"""Exchanges between two looks at what there is."""


@dataclass(frozen=True, slots=True)
class Look:
    """What there is at one moment."""

    exchanges: int
    resident: float
    """Memory of the process, in MB."""
    widgets: int
    tasks: int
    threads: int
    files: int
    """Open ones."""
    cards: int


@dataclass
class Soak:
    """What was measured."""

    seconds: list[float] = field(default_factory=list[float])
    """Of the processor, for each exchange."""
    beside: list[float] = field(default_factory=list[float])
    """The same for a piece of work that never grows, done after each exchange."""
    looks: list[Look] = field(default_factory=list[Look])
    compressions: int = 0
    log: float = 0.0
    """The session's file at the end, in MB."""

    @property
    def times(self) -> list[float]:
        """Each exchange as so many times the piece of work beside it."""
        return [took / fixed for took, fixed in zip(self.seconds, self.beside, strict=True)]


def thirds(values: Sequence[float]) -> tuple[float, float, float]:
    """The medians of the first, the middle and the last third."""
    third = len(values) // 3
    first, middle, last = (median(values[n * third : (n + 1) * third]) for n in range(3))
    return first, middle, last


def fixed_work() -> float:
    """Seconds of the processor for some work with numbers and texts, always the same."""
    began = time.process_time()
    counts = dict[str, int]()
    for number in range(30_000):
        counts[f"{number % 997}"] = number
    return time.process_time() - began


@asynccontextmanager
async def long_session(folder: Path) -> AsyncGenerator[Stage, None]:
    """The chat, set up so that it compresses every few exchanges."""
    configuration = folder / "config" / "octochat" / "config.toml"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(LOW)
    async with on_stage(folder, SIZE) as stage:
        (stage.folder / "notes.txt").write_text("A note of what there is to do. " * 40)
        engine = stage.session.engine
        engine.ports = replace(engine.ports, model=Offline(pace=0.0))
        yield stage


async def soak(folder: Path, exchanges: int, every: int = EVERY) -> Soak:
    """So many exchanges in one session."""
    found = Soak()
    async with long_session(folder) as stage:
        for number in range(exchanges):
            began = time.process_time()
            await exchange(stage, SAYS[number % len(SAYS)])
            found.seconds.append(time.process_time() - began)
            found.beside.append(fixed_work())
            if number % every == every - 1:
                found.looks.append(look(stage, number + 1))
        log = stage.session.engine.log
        assert log.path
        found.compressions = compressions(stage)
        found.log = log.path.stat().st_size / 1e6
    return found


def compressions(stage: Stage) -> int:
    """How many there were so far."""
    return sum(isinstance(e.event, Condensed) for e in stage.session.engine.log.entries)


async def exchange(stage: Stage, words: str) -> None:
    """Say something, and wait until the model has done its work.

    The pilot's own pauses wait until the app is idle, which costs more time than the exchange.
    """
    log = stage.session.engine.log
    before = len(log.entries)
    await stage.types(words, send=False)
    stage.app.simulate_key("enter")
    while len(log.entries) == before or stage.app.prompt.busy:  # noqa: ASYNC110  as a person waits
        await asyncio.sleep(A_LOOK)


def look(stage: Stage, exchanges: int) -> Look:
    """Count what there is now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Look(
        exchanges,
        pages * resource.getpagesize() / 1e6,
        len(list(stage.app.screen.walk_children())),
        len(asyncio.all_tasks()),
        threading.active_count(),
        len(list(Path("/proc/self/fd").iterdir())),
        len(stage.transcript.model.cards),
    )


def told(found: Soak) -> Iterator[str]:
    """The figures, a line each."""
    first, middle, last = thirds(found.seconds)
    times = thirds(found.times)
    yield (
        f"{len(found.seconds):,} exchanges, {found.compressions:,} compressions, "
        f"a log of {found.log:.1f} MB"
    )
    yield (
        f"processor time of an exchange, medians of three thirds: {first * 1e3:.0f}, "
        f"{middle * 1e3:.0f}, {last * 1e3:.0f} ms"
    )
    yield (
        "the same as so many times a fixed piece of work: "
        f"{', '.join(f'{each:.1f}' for each in times)} (last to first {times[2] / times[0]:.2f})"
    )
    step = max(len(found.looks) // 6, 1)
    for each in (*found.looks[::step], found.looks[-1]):
        yield (
            f"after {each.exchanges:5,}: {each.resident:6.1f} MB, {each.widgets} widgets, "
            f"{each.tasks} tasks, {each.threads} threads, {each.files} files, {each.cards} cards"
        )


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="tests.benchmarks.soak", description=__doc__)
    parser.add_argument("--exchanges", type=int, default=3_000)
    said = parser.parse_args(arguments or None)
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(soak(Path(folder), said.exchanges, max(said.exchanges // 60, 1)))
    sys.stdout.write("\n".join((*told(found), "")))


if __name__ == "__main__":
    main()
