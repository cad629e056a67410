"""How soon the prompt is there: with nothing configured, with MCP servers, in an older tree.

Run `python -m tests.benchmarks.start_up --against TREE`; TREE is a worktree of an older commit. The
kinds of start take turns, drawn by lot, and medians are compared: a noisy machine is noisy for all.
"""

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from tests.benchmarks.terminal import Terminal
from tests.benchmarks.tui import READY, running, say
from tests.mcp_servers.serving import http, serving, stdio
from tests.root import ROOT

NOTHING, OTHER = "nothing configured", "other things"
SERVERS, BEFORE = "two MCP servers", "the older tree"
TOOLS = 60
"""Of each server."""
Found: TypeAlias = Mapping[str, Sequence[tuple[float, float]]]


def started(tree: Path, home: Path) -> Terminal:
    """The program of a tree in a home of its own, with the offline model."""
    env = {
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "",
        "OCTOCHAT_DATA_DIR": str(home / "data"),
        "XDG_CONFIG_HOME": str(home),
        "HOME": str(home),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "ANTHROPIC_API_KEY": "",
    }
    return Terminal([sys.executable, "-m", "octochat", "--model", "offline"], env, home)


def seconds(tree: Path, home: Path) -> tuple[float, float]:
    """From the start to the prompt on the screen, and what it took of the processor."""
    with running(started(tree, home)) as terminal:
        return terminal.until(READY) - terminal.began, terminal.cpu


def measured(kinds: Mapping[str, tuple[Path, Path]], runs: int) -> Found:
    """So many starts of every kind, in turns that are drawn by lot: one ends while the next begins.

    The first of each fills caches and is left out.
    """
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in kinds}
    order = random.Random(1)
    for number in range(runs + 1):
        for name in order.sample(list(kinds), len(kinds)):
            took = seconds(*kinds[name])
            if number:
                found[name].append(took)
    return found


def _middle(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The median of the waits; of the processor, which is counted in hundredths, the mean."""
    return statistics.median(wait for wait, _ in times), statistics.mean(cpu for _, cpu in times)


def main() -> int:
    """Print the medians and what they are to each other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--against", type=Path, metavar="TREE", help="a worktree of an older commit"
    )
    parser.add_argument("--runs", type=int, default=15, help="starts of each kind")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        homes = {
            name: Path(folder) / name.replace(" ", "-")
            for name in (NOTHING, OTHER, SERVERS, BEFORE)
        }
        for home in homes.values():
            (home / "octochat").mkdir(parents=True)
        url = stack.enter_context(serving("web", TOOLS))
        servers = stdio("git", TOOLS) + http("web", url)
        for name, config in ((OTHER, "max_turns = 100\n"), (SERVERS, servers)):
            (homes[name] / "octochat" / "config.toml").write_text(config)
        kinds = {name: (ROOT, homes[name]) for name in (NOTHING, OTHER, SERVERS)}
        if said.against:
            kinds[BEFORE] = (said.against.resolve(), homes[BEFORE])
        found = measured(kinds, said.runs)
    first = _middle(found.get(BEFORE, found[NOTHING]))
    for name, times in found.items():
        wait, cpu = _middle(times)
        spread = f"{min(times)[0]:.3f} to {max(times)[0]:.3f} s, {len(times)} starts"
        say(
            f"{name:<20}{wait:>7.3f} s {wait / first[0] - 1:>+7.1%}"
            f"{cpu:>9.3f} s of the processor {cpu / first[1] - 1:>+7.1%}  ({spread})"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
