"""A copy of the repository in which faults are made, and the tests that each has to face."""

import json
import os
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path

from tests.covering import SETTINGS, Covering
from tests.faults import Mutant
from tests.forked import DESCRIPTORS, FAILED, PASSED, Outcome
from tests.root import ROOT

WAIT = 100
"""Seconds that a test may wait for something that never comes."""
COLLECTION = Outcome(FAILED, "the collection of the tests")


class Runner:
    """A pytest that has collected some tests and tries what it is asked for, each in a fork.

    One that can't collect them, or has ended, answers that the collection failed.
    """

    def __init__(self, folder: Path, tests: Sequence[str]) -> None:
        collected = folder / "collected.txt"
        collected.write_text("\n".join(tests), encoding="utf-8")
        asked, ask = os.pipe()
        answers, answer = os.pipe()
        settings = {"PYTHONPATH": str(folder), DESCRIPTORS: f"{asked} {answer}"}
        options = ("-q", "-p", "tests.forked", "-p", "no:cacheprovider", f"--timeout={WAIT}")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, f"--basetemp={folder}-tmp", f"@{collected}"],
            cwd=folder,
            env=os.environ | SETTINGS | settings,
            pass_fds=(asked, answer),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(asked)
        os.close(answer)
        self._questions = os.fdopen(ask, "w", encoding="utf-8")
        self._answers = os.fdopen(answers, encoding="utf-8")
        self.collected: Sequence[str] = json.loads(self._answers.readline() or "[]")
        """The names of the tests; none if not all could be collected."""

    def tried(
        self, file: Path, after: str, tests: Sequence[str], *, imported: bool = False
    ) -> Outcome | None:
        """What the tests say of a file with another text; None if it has to be imported anew.

        `imported`: this text is what was imported.
        """
        asked = {"file": str(file), "after": after, "tests": tests, "imported": imported}
        try:
            print(json.dumps(asked), file=self._questions, flush=True)
        except BrokenPipeError:
            return COLLECTION
        answer = self._answers.readline()
        if not answer:
            return COLLECTION
        outcome = json.loads(answer)
        return outcome and Outcome(**outcome)

    def close(self) -> None:
        """Let it end."""
        with suppress(BrokenPipeError):
            self._questions.close()
        self._process.wait()
        self._answers.close()


class Workshop:
    """A copy of the repository, in which faults are made and tests run."""

    def __init__(
        self,
        folder: Path,
        tests: Sequence[str],
        covering: Covering,
        seconds: float | None = None,
    ) -> None:
        self.folder = folder
        self._covering = covering
        self._seconds = seconds
        """Of tests for each fault, by the time they usually take; None: all that execute it."""
        self._runner = Runner(folder, tests)
        self._sound: dict[str, bool] = {}
        """Whether a test passes alone and without a fault."""
        if not self._runner.collected:
            raise RuntimeError(f"pytest can't collect the tests in {folder}")

    def noticed(self, mutant: Mutant) -> str:
        """The test that notices the fault; "" if none does."""
        file = self.folder / mutant.file
        data = file.read_bytes()
        after = (data[: mutant.start] + mutant.after.encode() + data[mutant.end :]).decode()
        tests = self.tests(mutant)
        if not tests:
            return ""
        if self._runner.tried(file, after, ()) is not None:
            test = self._first(tests, lambda some: self._runner.tried(file, after, some))
            if test == COLLECTION.test:  # it had collected: this is no word about the fault
                raise RuntimeError(f"the tests of {self.folder} have ended at {mutant}")
            if test or not self._covering.imported(mutant.file, mutant.line, mutant.last):
                return test
        own = [name for name in tests if name.startswith(own_tests(mutant.file))]
        others = [name for name in tests if name not in own]
        return self._imported(file, after, own) or self._imported(file, after, others)

    def _imported(self, file: Path, after: str, tests: Sequence[str]) -> str:
        """The test that notices a fault which is there from the start."""
        if not tests:
            return ""
        before = file.read_text(encoding="utf-8")
        file.write_text(after, encoding="utf-8")
        fresh = Runner(self.folder, sorted({name.partition("::")[0] for name in tests}))
        file.write_text(before, encoding="utf-8")
        try:
            return self._first(tests, lambda some: fresh.tried(file, after, some, imported=True))
        finally:
            fresh.close()

    def _first(self, tests: Sequence[str], tried: Callable[[Sequence[str]], Outcome | None]) -> str:
        """The first test that notices a fault, and would have said nothing without."""
        left = list(tests)
        while left:
            outcome = tried(left)
            if outcome is None or outcome.kind == PASSED:
                return ""
            if outcome == COLLECTION or self._is_sound(outcome.test):
                return outcome.test
            left = left[left.index(outcome.test) + 1 :]
        return ""

    def _is_sound(self, test: str) -> bool:
        if test not in self._sound:
            file = self.folder / "octochat" / "__init__.py"
            outcome = self._runner.tried(file, file.read_text(encoding="utf-8"), [test])
            self._sound[test] = outcome is not None and outcome.kind == PASSED
        return self._sound[test]

    def tests(self, mutant: Mutant) -> Sequence[str]:
        """The tests that a fault has to face: new ones, its own, then the quickest."""
        own, covering = own_tests(mutant.file), self._covering
        found = set(covering.tests(mutant.file, mutant.line, mutant.last))
        if not found:  # only an import executes the line
            found.update(covering.of_file(mutant.file))
        if covering.imported(mutant.file, mutant.line, mutant.last):  # others use what it made
            found.update(covering.in_folder(mutant.file))
        ranked = sorted(found, key=lambda name: (not name.startswith(own), covering.seconds(name)))
        if self._seconds is not None:
            spent = list(accumulate(covering.seconds(name) for name in ranked))
            ranked = ranked[: bisect_right(spent, self._seconds)]
        new = [name for name in self._runner.collected if name not in covering.times]
        return [*new, *ranked]

    def close(self) -> None:
        """End what it has begun."""
        self._runner.close()


def own_tests(file: Path) -> tuple[str, ...]:
    """The tests of the file, else of its package, by the layout that CONTRIBUTING.md describes."""
    folder = Path("tests", *file.parts[1:-1])
    test = folder / f"test_{file.name}"
    return (str(test),) if (ROOT / test).exists() else (str(folder),)
