"""Small faults, put into the code one at a time: do the tests notice?

Run `python -m tests.mutants octochat/context/plans --count 50 --seed 1`. In a copy of the
repository all tests but the terminal's run once, so that it is known which of them execute which
line; then the faults are made in copies, and for each only those run. A fault that lives is
printed: write a test for it, or see that it changes nothing. With `--keep FOLDER` the first step is
done once; `--again FILE` takes the faults that live from what an earlier run has printed.
"""

import argparse
import ast
import copy
import os
import random
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
from tests.root import ROOT

LIMIT = 600
"""Seconds for the tests of one fault: one that makes a loop endless is noticed by this."""
TESTS = (
    "tests/context",
    "tests/engine",
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
class Mutant:
    """One fault."""

    file: Path
    """As seen from the repository."""
    line: int
    last: int
    """The line in which it ends."""
    start: int
    """The characters that are replaced, as a range of the file's text."""
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before}  ->  {self.after}"


_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}


def changed(node: ast.expr) -> Iterator[ast.expr]:
    """The same expression with a fault in it."""
    twin = copy.deepcopy(node)
    match twin:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            twin.ops = [_COMPARED[type(op)]()]
        case ast.BinOp(op=op) if type(op) in _COUNTED:
            twin.op = _COUNTED[type(op)]()
        case ast.BoolOp(op=op):
            twin.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            twin = inner
        case ast.IfExp(body=body, orelse=orelse):
            twin.body, twin.orelse = orelse, body
        case ast.Call(func=ast.Name(id=name) as func) if name in _CALLED:
            func.id = _CALLED[name]
        case ast.Constant(value=bool(value)):
            twin.value = not value
        case ast.Constant(value=int(value) | float(value)):
            twin.value = value + 1
        case _:
            return
    yield twin


def mutants(file: Path, root: Path = ROOT) -> Iterator[Mutant]:
    """Every fault that can be made in a file."""
    text = (root / file).read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()
    tree = ast.parse(text)
    quiet = {
        id(inner) for node in ast.walk(tree) for note in _quiet(node) for inner in ast.walk(note)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or id(node) in quiet or node.end_lineno is None:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + (node.end_col_offset or 0)
        before = data[start:end].decode()
        for twin in changed(node):
            after = f"({ast.unparse(twin)})"
            yield Mutant(file, node.lineno, node.end_lineno, start, end, before, after)


def _quiet(node: ast.AST) -> Iterator[ast.expr]:
    """What nothing computes with: annotations, decorators such as `frozen=True`; and f-strings."""
    if isinstance(node, ast.ClassDef):
        yield from node.decorator_list
    match node:
        case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation):
            yield annotation
        case ast.FunctionDef(returns=ast.expr() as returns):
            yield returns
        case ast.JoinedStr():  # before Python 3.12 nobody knows where its pieces stand
            yield node
        case _:
            return


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
                command, cwd=self.folder, env=env, capture_output=True, timeout=LIMIT, check=False
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


def chosen(places: Sequence[Path], count: int | None, seed: int) -> list[Mutant]:
    """So many of the faults, by lot."""
    files = [
        each.relative_to(ROOT)
        for place in places
        for each in (sorted(place.rglob("*.py")) if place.is_dir() else [place])
    ]
    every = [mutant for file in files for mutant in mutants(file)]
    return every if count is None else random.Random(seed).sample(every, min(count, len(every)))


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
