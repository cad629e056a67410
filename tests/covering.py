"""Which tests execute a line, from one run of them all with a context for each test."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as ET

from coverage import CoverageData

SETTINGS = {"OCTOCHAT_LAW_EXAMPLES": "30", "PYTHONDONTWRITEBYTECODE": "1"}
"""What was compiled a moment ago must not be taken for what stands there now."""
TIMES = "times.xml"
"""The file in which a run leaves how long each test took."""
FAR = 6
"""Lines above an expression among which the statement that it belongs to begins."""


@dataclass(frozen=True, slots=True)
class Covering:
    """What a run has left in its folder."""

    folder: Path
    data: CoverageData
    times: Mapping[str, float]
    """Seconds that each test took."""

    @classmethod
    def of(cls, folder: Path, tests: Sequence[str], jobs: int) -> "Covering":
        """Run the tests of the copy in `folder`, unless it was done before.

        A failing one is no hindrance.
        """
        if (folder / ".coverage").exists():
            return cls.left_in(folder)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(jobs)]
        traced = ["--cov=octochat", "--cov-context=test", "--cov-report=", f"--junitxml={TIMES}"]
        env = os.environ | SETTINGS | {"PYTHONPATH": str(folder)}
        subprocess.run(
            [*command, *traced, *tests], cwd=folder, env=env, capture_output=True, check=False
        )
        return cls.left_in(folder)

    @classmethod
    def left_in(cls, folder: Path) -> "Covering":
        """What an earlier run has left there."""
        data = CoverageData(str(folder / ".coverage"))
        data.read()
        cases = ET.parse(folder / TIMES).iter("testcase")
        times = {
            f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}": float(
                case.attrib["time"]
            )
            for case in cases
        }
        return cls(folder, data, times)

    def seconds(self, test: str) -> float:
        """How long a test took."""
        return self.times.get(test, 0.0)

    def of_file(self, file: Path) -> tuple[str, ...]:
        """The tests that execute anything of a file."""
        contexts = self.data.contexts_by_lineno(str(self.folder / file))
        return tuple(sorted(_of(contexts, tuple(contexts))))

    def tests(self, file: Path, first: int, last: int) -> tuple[str, ...]:
        """The tests that execute one of these lines, or the statement that they belong to.

        Empty where only an import executes them.
        """
        contexts = self.data.contexts_by_lineno(str(self.folder / file))
        return tuple(sorted(_of(contexts, _executed(contexts, first, last))))

    def imported(self, file: Path, first: int, last: int) -> bool:
        """Whether an import executes one of these lines: what it has made may be kept."""
        contexts = self.data.contexts_by_lineno(str(self.folder / file))
        return any("" in contexts.get(line, ()) for line in _executed(contexts, first, last))

    def in_folder(self, file: Path) -> tuple[str, ...]:
        """The tests of the package that the file belongs to."""
        return tuple(name for name in self.times if name.startswith(str(tests_of(file.parent))))


def tests_of(place: Path) -> Path:
    """Where the tests of a file or folder stand, by the layout that CONTRIBUTING.md describes."""
    return Path("tests", *place.parts[1:])


def _executed(contexts: dict[int, list[str]], first: int, last: int) -> Sequence[int]:
    """Those of the lines that are executed, else the nearest one above them."""
    inside = [line for line in range(first, last + 1) if line in contexts]
    above = (line for line in range(first - 1, max(first - FAR, 0), -1) if line in contexts)
    return inside or list(islice(above, 1))


def _of(contexts: dict[int, list[str]], lines: Sequence[int]) -> set[str]:
    """The names of tests; a context is `NAME|PHASE`."""
    each = (context for line in lines for context in contexts.get(line, ()))
    return {context.rpartition("|")[0] for context in each if "|" in context}
