"""Small faults, put into the code one at a time: do the tests notice?

Run `python -m tests.mutants octochat/context/plans --count 50 --seed 1`. In a copy of the
repository all tests but the terminal's run once, so that it is known which of them execute which
line; then the faults are made in copies, and for each only those run. A fault that lives is
printed: write a test for it, or see that it changes nothing. With `--keep FOLDER` the first step is
done once; `--again FILE` takes the faults that live from what an earlier run has printed.
"""

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.covering import SETTINGS, Covering
from tests.faults import Mutant, chosen
from tests.root import ROOT

LIMIT, PATIENCE = 900, 3_600
"""Seconds of the processor, and by the clock, for the tests of one fault: one that makes a loop
endless, or waits for what never comes, is noticed by this."""
TESTS = (
    "tests/context",
    "tests/engine",
    "tests/hooks",
    "tests/laws",
    "tests/models",
    "tests/permissions",
    "tests/session",
    "tests/storage",
    "tests/summaries",
)
"""What runs once; all of it for a fault in what only an import executes."""
LIVES = "LIVES"
"""What stands before a fault that no test noticed."""
FIRST = 150
"""Tests that run first, those of the file itself among them; the others only if these pass."""
_COPIED = ("octochat", "tests", "skills", "docs", "pyproject.toml", "README.md")
_PLAIN_TEXT = ("config.example.toml", "CHANGELOG.md", "CONTRIBUTING.md", "AGENTS.md")


@dataclass(frozen=True, slots=True)
class Workshop:
    """A copy of the repository, in which faults are made and tests run."""

    folder: Path
    covering: Covering | None = None
    """None: every fault has to face all tests."""
    all_tests: Sequence[str] = TESTS

    def lives(self, mutant: Mutant) -> bool:
        """Whether the tests pass with the fault."""
        file = self.folder / mutant.file
        data = file.read_bytes()
        file.write_bytes(data[: mutant.start] + mutant.after.encode() + data[mutant.end :])
        try:
            return all(self.passes(some) for some in self.tests(mutant))
        finally:
            file.write_bytes(data)

    def tests(self, mutant: Mutant) -> Iterator[Sequence[str]]:
        """The tests that a fault has to face, the likeliest to notice it first."""
        own = own_tests(mutant.file)
        found = self.covering and self.covering.tests(mutant.file, mutant.line, mutant.last)
        if not found:
            yield own
            yield self.all_tests
            return
        mixed = random.Random(0).sample(found, len(found))
        file = tuple(name for name in own if name.endswith(".py"))
        others = [name for name in mixed if not (file and name.startswith(file))]
        ranked = sorted(others, key=lambda name: not name.startswith(own))
        yield file  # whole: what was written since stands there
        yield ranked[:FIRST]
        yield ranked[FIRST:]

    def passes(self, tests: Sequence[str]) -> bool:
        """Whether these tests pass."""
        there = [name for name in tests if (self.folder / name.partition("::")[0]).exists()]
        if not there:
            return True
        named = self.folder / "chosen.txt"
        named.write_text("\n".join(there), encoding="utf-8")
        env = os.environ | SETTINGS | {"PYTHONPATH": str(self.folder)}
        command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", f"@{named}"]
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=env,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)),
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def copied(folder: Path) -> None:
    """Copy what the tests need."""
    for name in (*_COPIED, *_PLAIN_TEXT):
        source = ROOT / name
        if source.is_dir():
            skipped = shutil.ignore_patterns("__pycache__", "__snapshots__")
            shutil.copytree(source, folder / name, ignore=skipped)
        else:
            shutil.copy(source, folder / name)


def own_tests(file: Path) -> tuple[str, ...]:
    """The tests of the file, else of its package, by the layout that CONTRIBUTING.md describes."""
    folder = Path("tests", *file.parts[1:-1])
    test = folder / f"test_{file.name}"
    return (str(test),) if (ROOT / test).exists() else (str(folder),)


def living(printed: Path, places: Sequence[Path]) -> list[Mutant]:
    """The faults that lived in an earlier run, of which this was printed."""
    names = {
        line.removeprefix(LIVES).strip()
        for line in printed.read_text(encoding="utf-8").splitlines()
        if line.startswith(LIVES)
    }
    return [mutant for mutant in chosen(places, None, 0) if str(mutant) in names]


def tried(picked: Sequence[Mutant], shops: Sequence[Workshop]) -> Iterator[tuple[Mutant, bool]]:
    """Each fault and whether it lives, one at a time in each workshop."""
    free = SimpleQueue[Workshop]()
    for shop in shops:
        free.put(shop)

    def lives(mutant: Mutant) -> bool:
        shop = free.get()
        try:
            return shop.lives(mutant)
        finally:
            free.put(shop)

    with ThreadPoolExecutor(len(shops)) as pool:
        yield from zip(picked, pool.map(lives, picked), strict=True)


def main(say: Callable[[str], object] = print) -> int:
    """Make the faults one by one; 1 if any lives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("places", nargs="+", type=Path, help="files or folders of octochat/")
    parser.add_argument("--count", type=int, default=50, help="how many faults (50)")
    parser.add_argument("--seed", type=int, default=1, help="which lot (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--keep", type=Path, help="where to keep which test executes what")
    parser.add_argument("--again", type=Path, help="what an earlier run has printed")
    given = parser.parse_args()
    places = [ROOT / place for place in given.places]
    picked = living(given.again, places) if given.again else chosen(places, given.count, given.seed)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        copies = [_copy(folder / str(job)) for job in range(given.jobs)]
        covering = Covering.of(_copy(given.keep or folder / "traced"), TESTS, given.jobs)
        shops = [Workshop(copy, covering) for copy in copies]
        lived = 0
        for mutant, lives in tried(picked, shops):
            say(f"{LIVES if lives else 'noticed'} {mutant}")
            lived += lives
    say(f"{len(picked) - lived} of {len(picked)} were noticed")
    return bool(lived)


def _copy(folder: Path) -> Path:
    if not (folder / ".coverage").exists():
        folder.mkdir(parents=True, exist_ok=True)
        copied(folder)
    return folder.resolve()


if __name__ == "__main__":
    sys.exit(main())
