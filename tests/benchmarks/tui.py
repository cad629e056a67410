"""How fast and how big the terminal interface is, beside a bare Textual chat.

Run `python -m tests.benchmarks.tui`. Everything is measured from outside, through a
pseudo-terminal, with the offline model. A `~` stands before a time that is too long here and would
not be on the machine that the aims are of, where the bare chat needs 0.21 s.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from octochat.context.session.content import Text
from octochat.context.session.events import Opened, Prompted, Replied
from octochat.storage.log import Log
from tests.benchmarks.terminal import Terminal
from tests.frontends.tui.told import ANSWER
from tests.root import ROOT

INSTALLED = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}
"""What is installed is compiled once, not at every start."""
REFERENCE = 0.21
"""Seconds to the prompt of the bare chat on the machine that the aims are of."""
RUNS = 5
MESSAGES, MANY = 1_000, 20_000
KEYS = "ΩΨΞΠΣΘΛΔΦΓЖЩЮЯБДЛЦЧЭÞßøæñëïöüâêîôûãõ"
"""Characters that nothing but an echo puts on the screen."""
READY = "sk anything"
"""What stands in the input while nothing is typed and the model rests."""
LONG_ANSWER, ESCAPE, EMPTY_LINE = "count to 20000\r", "\x1b", "\x15"
PRINTER = """\
import itertools, time
for n in itertools.count():
    print(*(f"line {100 * n + i}, one of many more" for i in range(100)), sep="\\n")
    time.sleep(0.01)
"""
"""Prints 10,000 lines a second."""


@dataclass(frozen=True)
class Figure:
    """One measurement."""

    what: str
    value: float
    unit: str
    most: float | None = None
    """What it should not be above; None for what is only compared with."""

    def sign(self, slower: float) -> str:
        """How it stands on a machine that is so many times as slow as the one of the aims."""
        if self.most is None:
            return " "
        if self.value <= self.most:
            return "✓"
        return "~" if self.unit in ("s", "ms") and self.value <= slower * self.most else "✗"


def octochat(data: Path, *more: str) -> Terminal:
    """The real program with the offline model."""
    command = [sys.executable, "-m", "octochat", "--model", "offline", *more]
    env = INSTALLED | {
        "OCTOCHAT_DATA_DIR": str(data),
        "HOME": str(data),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "ANTHROPIC_API_KEY": "",
    }
    return Terminal(command, env, data)


def skeleton(data: Path) -> Terminal:
    """The bare chat."""
    env = INSTALLED | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    return Terminal([sys.executable, "-m", "tests.benchmarks.skeleton"], env, data)


@contextmanager
def running(terminal: Terminal) -> Generator[Terminal]:
    """A program that is ended whatever happens."""
    try:
        yield terminal
    finally:
        terminal.end()


def median_of(measure: Callable[[], float]) -> float:
    """The middle of a few runs; the first one fills caches and does not count."""
    measure()
    return statistics.median(measure() for _ in range(RUNS))


def until_prompt(make: Callable[[], Terminal]) -> float:
    """Seconds from the start to the prompt on the screen."""
    with running(make()) as terminal:
        return terminal.until(READY) - terminal.began


def written(data: Path, messages: int) -> str:
    """A session of so many messages on disk; its id."""
    path = data / "sessions" / f"20250101-000000-bench{messages}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    at = time.time() - 60 * messages
    log = Log(path, weigh=lambda _: 20, clock=lambda: at)
    log.append(Opened("offline", "You are octochat.", (), str(data)))
    for number in range(messages // 2):
        at += 60
        log.append(Prompted((Text(f"Question {number}: why is the test flaky?"),)))
        log.append(Replied((Text(ANSWER),), seconds=2.0))
    log.append(Prompted((Text("The very last question"),)))
    log.append(Replied((Text("LASTWORD"),)))
    log.close()
    return path.stem


def resumed(data: Path, session: str) -> float:
    """Seconds from the start to the end of the session on the screen."""
    with running(octochat(data, "-r", session)) as terminal:
        return terminal.until("LASTWORD") - terminal.began


def streaming(data: Path, session: str) -> Iterator[Figure]:
    """Keys and Escape while an answer streams under the old messages."""
    with running(octochat(data, "-r", session)) as terminal:
        terminal.until("LASTWORD")
        terminal.rest(2)
        yield figure(f"memory with {MESSAGES:,} messages", terminal.megabytes, "MB", 130)
        terminal.press(LONG_ANSWER)
        terminal.rest(1)
        yield from echoes(terminal, "an answer streams")
        terminal.press(EMPTY_LINE + ESCAPE)
        terminal.until(READY)
        stopped = median_of(lambda: interrupted(terminal))
        yield figure("Esc to stopped, median", 1000 * stopped, "ms", 75)
        yield figure("memory after that", terminal.megabytes, "MB", 130)


def echoes(terminal: Terminal, meanwhile: str) -> Iterator[Figure]:
    """How long keys take to be seen."""
    times: list[float] = []
    for key in KEYS:
        began = terminal.press(key)
        times.append(1000 * (terminal.until(key) - began))
        terminal.rest(0.07)
    times.sort()
    yield figure(f"key to echo while {meanwhile}, median", times[len(times) // 2], "ms", 35)
    yield figure(f"key to echo while {meanwhile}, p95", times[int(len(times) * 0.95)], "ms", 35)


def printing(data: Path, session: str) -> Iterator[Figure]:
    """Keys while a command prints under the old messages."""
    (data / "printer.py").write_text(PRINTER, encoding="utf-8")
    with running(octochat(data, "-r", session)) as terminal:
        terminal.until("LASTWORD")
        terminal.rest(2)
        terminal.press(f"!{sys.executable} {data}/printer.py\r")
        terminal.until("one of many more")
        yield from echoes(terminal, "a command prints")


def interrupted(terminal: Terminal) -> float:
    """Seconds from Escape in the middle of an answer to the input that is free again."""
    terminal.press(LONG_ANSWER)
    terminal.rest(1)
    began = terminal.press(ESCAPE)
    return terminal.until(READY) - began


def idle(make: Callable[[], Terminal]) -> tuple[float, float]:
    """What a program does when nobody does anything: percent of a core, bytes of output."""
    with running(make()) as terminal:
        terminal.until(READY)
        terminal.rest(6)
        cpu, output, seconds = terminal.cpu, terminal.written, 10.0
        terminal.rest(seconds)
        return 100 * (terminal.cpu - cpu) / seconds, float(terminal.written - output)


def figure(what: str, value: float, unit: str, most: float) -> Figure:
    """A value that should not be above `most`."""
    return Figure(what, value, unit, most)


def bare_figure(what: str, value: float, unit: str) -> Figure:
    """What the skeleton does, to compare with."""
    return Figure(f"{what}, bare skeleton", value, unit)


def measured() -> Iterator[Figure]:
    """Everything, in the order of a session's life."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        bare = median_of(lambda: until_prompt(lambda: skeleton(data)))
        ours = median_of(lambda: until_prompt(lambda: octochat(data)))
        yield bare_figure("prompt visible", bare, "s")
        yield Figure("prompt visible", ours, "s")
        yield figure("prompt visible, times the skeleton", ours / bare, "x", 1.25)
        session = written(data, MESSAGES)
        took = median_of(lambda: resumed(data, session))
        yield figure(f"resume of {MESSAGES:,} messages", took, "s", 0.5)
        yield from streaming(data, session)
        yield from printing(data, written(data, MESSAGES + 2))
        many = written(data, MANY)
        took = median_of(lambda: resumed(data, many))
        yield figure(f"resume of {MANY:,} messages", took, "s", 1.5)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        cpu, output = idle(lambda: skeleton(data))
        yield bare_figure("idle", cpu, "%")
        yield bare_figure("idle output", output, "bytes")
        cpu, output = idle(lambda: octochat(data))
        yield figure("idle", cpu, "%", 0.5)
        yield figure("idle output", output, "bytes", 0)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Print the figures; 1 if one misses its target."""
    say(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}")
    missed, slower = False, 1.0
    for n, each in enumerate(measured()):
        if not n:
            slower = each.value / REFERENCE
            say(f"{slower:.2f} times as slow as the machine of the aims")
        sign = each.sign(slower)
        missed |= sign == "✗"
        most = "" if each.most is None else f"≤ {each.most:g}"
        say(f"{sign} {each.what:<50}{each.value:>10.3f} {each.unit:<6}{most}")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
