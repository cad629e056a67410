"""Small faults, put into the code one at a time: do the tests notice?

Run `python -m tests.mutants octochat/context/plans --count 50 --seed 1`. In a copy of the
repository all tests but those of the terminal run once, so that it is known which of them execute
which line; then the faults are made in copies, and each faces those that execute it, the quickest
first. A fault that lives is printed: write a test for it, or see that it changes nothing. With
`--keep FOLDER` the first step is done once; `--again FILE` takes the faults that live from what an
earlier run has printed.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.covering import Covering
from tests.faults import Mutant, chosen
from tests.root import ROOT
from tests.workshop import Workshop

TESTS = (
    "tests/cli",
    "tests/commands",
    "tests/config",
    "tests/context",
    "tests/doctor",
    "tests/engine",
    "tests/hooks",
    "tests/laws",
    "tests/mcp_servers",
    "tests/memory",
    "tests/models",
    "tests/permissions",
    "tests/project",
    "tests/prompts",
    "tests/replay",
    "tests/session",
    "tests/skills",
    "tests/storage",
    "tests/summaries",
    "tests/text",
    "tests/tools",
)
"""What runs once."""
LIVES = "LIVES"
"""What stands before a fault that no test noticed."""
_COPIED = ("octochat", "tests", "skills", "docs", "pyproject.toml", "README.md")
_PLAIN_TEXT = ("config.example.toml", "CHANGELOG.md", "CONTRIBUTING.md", "AGENTS.md")


def copied(folder: Path) -> None:
    """Copy what the tests need."""
    for name in (*_COPIED, *_PLAIN_TEXT):
        source = ROOT / name
        if source.is_dir():
            skipped = shutil.ignore_patterns("__pycache__", "__snapshots__")
            shutil.copytree(source, folder / name, ignore=skipped)
        else:
            shutil.copy(source, folder / name)


def living(printed: Path, places: Sequence[Path]) -> list[Mutant]:
    """The faults that lived in an earlier run, of which this was printed."""
    names = {
        line.removeprefix(LIVES).strip()
        for line in printed.read_text(encoding="utf-8").splitlines()
        if line.startswith(LIVES)
    }
    return [mutant for mutant in chosen(places, None, 0) if str(mutant) in names]


def tried(picked: Sequence[Mutant], shops: Sequence[Workshop]) -> Iterator[tuple[Mutant, str]]:
    """Each fault and the test that noticed it, "" if it lives; one at a time in each workshop."""
    free = SimpleQueue[Workshop]()
    for shop in shops:
        free.put(shop)

    def noticed(mutant: Mutant) -> str:
        shop = free.get()
        try:
            return shop.noticed(mutant)
        finally:
            free.put(shop)

    with ThreadPoolExecutor(len(shops)) as pool:
        yield from zip(picked, pool.map(noticed, picked), strict=True)


def main(say: Callable[[str], object] = print) -> int:
    """Make the faults one by one; 1 if any lives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("places", nargs="+", type=Path, help="files or folders of octochat/")
    parser.add_argument("--count", type=int, default=50, help="how many faults (50)")
    parser.add_argument("--seed", type=int, default=1, help="which lot (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--keep", type=Path, help="where to keep which test executes what")
    parser.add_argument("--again", type=Path, help="what an earlier run has printed")
    parser.add_argument(
        "--seconds", type=float, help="of tests for each fault, by the time they usually take (all)"
    )
    parser.add_argument("--tests", nargs="+", default=TESTS, help="folders or files of tests")
    given = parser.parse_args()
    places = [ROOT / place for place in given.places]
    picked = living(given.again, places) if given.again else chosen(places, given.count, given.seed)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        copies = [_copy(folder / str(job)) for job in range(given.jobs)]  # before anyone edits it
        covering = Covering.of(_copy(given.keep or folder / "traced"), given.tests, given.jobs)
        shops = [Workshop(copy, given.tests, covering, given.seconds) for copy in copies]
        lived = 0
        for mutant, test in tried(picked, shops):
            say(f"noticed {mutant}  by {test}" if test else f"{LIVES} {mutant}")
            lived += not test
        for shop in shops:
            shop.close()
    say(f"{len(picked) - lived} of {len(picked)} were noticed")
    return bool(lived)


def _copy(folder: Path) -> Path:
    if not (folder / ".coverage").exists():
        folder.mkdir(parents=True, exist_ok=True)
        copied(folder)
    return folder.resolve()


if __name__ == "__main__":
    sys.exit(main())
