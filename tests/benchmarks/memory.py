"""How quick the memory is: `python -m tests.benchmarks.memory`.

Figures, not tests: what a machine takes says nothing on another one.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Opened, Prompted, Replied, Returned
from octochat.memory.all_sessions import Where
from octochat.memory.index import Index
from octochat.memory.query import query
from octochat.memory.searching import Scope
from octochat.memory.session_memory import SessionMemory
from octochat.models.tokens.ruler import CHARACTERS

WORDS = 12_000
"""Different words of the logs."""
SEARCHES = 200
PAGE = 10
"""Passages that a search reads."""


def main() -> None:
    """Print the figures."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        log = talk(rng, 200_000)
        opening = timed(lambda: memory(Path(folder) / "a.db"))
        told("what it adds to opening a session", opening)
        index = Index(Path(folder) / "a.db")
        told(f"200,000 tokens of log, {len(log):,} entries, indexed", timed(index.update, log))
        grown = [*log, *talk(rng, 3_000)[1:]]
        grown = [Entry(n, e.at, e.size, e.event) for n, e in enumerate(grown, 1)]
        told(f"{len(grown) - len(log)} entries more", timed(index.update, grown))
        index.close()
        again = Index(Path(folder) / "a.db")
        told("opened again, nothing new", timed(again.update, grown))
        again.close()
        log = talk(rng, 20_000 * 150, entries=20_000)
        index = Index(Path(folder) / "b.db")
        told(f"{len(log):,} entries indexed", timed(index.update, log))
        told(f"{index.passages:,} passages; a search, median and slowest", *searched(index, rng))
        index.close()


def memory(path: Path) -> SessionMemory:
    """What a session opens with."""
    return SessionMemory(path, tokens=1_500, strategies=(), earlier=Where(), warn=sys.exit)


def talk(rng: random.Random, tokens: int, entries: int | None = None) -> list[Entry]:
    """A log of so many tokens: prompts, replies with a call, and results."""
    each = tokens // entries if entries else 300
    events: list[Event] = [Opened("m", "s")]
    while len(events) < (entries or tokens // each):
        n = len(events)
        call = ToolCall(f"t{n}", "read", {"file_path": f"src/{word(rng)}.py"})
        turn = (
            Prompted((Text(text(rng, each)),)),
            Replied((Text(text(rng, each)), call), "tool_use"),
            Returned(f"t{n}", (Text(text(rng, each)),)),
        )
        events += turn
    return [Entry(n, float(n), each, event) for n, event in enumerate(events, 1)]


def text(rng: random.Random, tokens: int) -> str:
    """Words, the common ones more often, in lines."""
    length = tokens * CHARACTERS["prose"]
    words: list[str] = []
    while length > 0:
        words.append(word(rng) + rng.choice((" ", " ", " ", " ", ".\n")))
        length -= len(words[-1])
    return "".join(words)


def word(rng: random.Random) -> str:
    """One of the words; the tenth is ten times as rare as the first."""
    return f"w{int(WORDS ** rng.random()):x}ord"


def searched(index: Index, rng: random.Random) -> tuple[float, float]:
    """Seconds of a search for a few words: the median, and the slowest."""
    times = sorted(timed(first_page, index, rng) for _ in range(SEARCHES))
    return times[SEARCHES // 2], times[-1]


def first_page(index: Index, rng: random.Random) -> None:
    """A search for four words, two of them common."""
    rare = (f"w{rng.randrange(500, WORDS):x}ord" for _ in range(2))
    wanted = query(" ".join((*rare, word(rng), word(rng))))
    for _, _ in zip(index.search(wanted, Scope()), range(PAGE), strict=False):
        pass


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - began


def told(what: str, *seconds: float) -> None:
    """One line."""
    sys.stdout.write(f"{what}: {', '.join(f'{each * 1_000:,.1f} ms' for each in seconds)}\n")


if __name__ == "__main__":
    main()
