"""A pytest plugin that collects once and then tries faults, each in a fork of the process.

What it is to try comes line by line as JSON on one file descriptor; the names of the tests, then
what came of each trial, go to another (`DESCRIPTORS`). It does not know which tests a fault has to
face.
"""

import gc
import json
import os
import resource
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType
from typing import NoReturn

import pytest

DESCRIPTORS = "OCTOCHAT_TRIALS"
"""The environment's name for two file descriptors: to read trials from, to write outcomes to."""
SLOW = 60
"""Seconds of the processor that a test may take with a fault: an endless loop takes more."""
PASSED, FAILED, ENDED = "passed", "failed", "ended"
"""What came of the tests: all passed, one failed, or the process ended."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of some tests."""

    kind: str
    test: str = ""
    """The one that failed, or during which the process ended."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Another text of a file."""

    file: Path
    before: str
    after: str

    def twins(self) -> dict[CodeType, CodeType] | None:
        """Each function's code and what becomes of it; None if only an import executes the change.

        A module that is not loaded yet has none, and needs none: it is read from the file.
        """
        if str(self.file) not in {getattr(each, "__file__", "") for each in sys.modules.values()}:
            return {}
        texts = (self.before, self.after)
        old, new = (list(_codes(compile(text, self.file, "exec"))) for text in texts)
        if len(old) != len(new):
            return None
        pairs = list(zip(old, new, strict=True))
        if any(_bare(a) != _bare(b) for a, b in pairs if not a.co_flags & CO_OPTIMIZED):
            return None
        return dict(pairs)


Functions = Mapping[str, Sequence[FunctionType]]
"""What is in memory, by file."""


def functions() -> Functions:
    """All functions that are in memory."""
    found = defaultdict[str, list[FunctionType]](list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found[each.__code__.co_filename].append(each)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _bare(code: CodeType) -> tuple[object, ...]:
    """What a module or a class executes, without the code of its functions."""
    consts = tuple(repr(one) for one in code.co_consts if not isinstance(one, CodeType))
    return code.co_code, consts, code.co_names


@dataclass(eq=False, slots=True)
class Forks:
    """The tests that were collected, and what becomes of them."""

    items: Mapping[str, pytest.Item]
    functions: Functions
    failed: bool = False
    """In a fork: whether a test has failed."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """See whether a test fails."""
        self.failed = self.failed or report.failed

    def tried(
        self, fault: Fault, twins: Mapping[CodeType, CodeType], tests: Sequence[str]
    ) -> Outcome:
        """What the tests say of a fault.

        A test that fails does so alone, too: it is not for what others have left.
        """
        left = [name for name in tests if name in self.items]
        while left:
            outcome = self._with(fault, twins, left)
            if outcome.kind != FAILED or (self._with(fault, twins, [outcome.test]).kind != PASSED):
                return outcome
            left = left[left.index(outcome.test) + 1 :]
        return Outcome(PASSED)

    def _with(
        self, fault: Fault, twins: Mapping[CodeType, CodeType], tests: Sequence[str]
    ) -> Outcome:
        """Run tests with a fault: in memory, and in the file for what is imported later."""
        fault.file.write_text(fault.after, encoding="utf-8")
        try:
            return self._in_fork(tests, fault.file, twins)
        finally:
            fault.file.write_text(fault.before, encoding="utf-8")

    def _in_fork(
        self, tests: Sequence[str], file: Path, twins: Mapping[CodeType, CodeType]
    ) -> Outcome:
        with tempfile.TemporaryFile() as told:  # a pipe could stay open, or fill up
            child = os.fork()
            if not child:
                os.setsid()
                for each in self.functions.get(str(file), ()):
                    each.__code__ = twins.get(each.__code__, each.__code__)
                self._run(tests, told.fileno())
            _, status = os.waitpid(child, 0)
            _end_group(child)
            told.seek(0)
            *_, test, kind = ["", "", *told.read().decode().splitlines()]
        if status == 0 and kind in {PASSED, FAILED}:
            return Outcome(kind, test)
        return Outcome(ENDED, kind)

    def _run(self, tests: Sequence[str], tell: int) -> NoReturn:
        """Run tests; tell the name of each before it runs, then what came of them."""
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        kind = PASSED
        for name, next_name in zip(tests, [*tests[1:], ""], strict=True):
            os.write(tell, f"{name}\n".encode())
            _limit_processor()
            item, next_item = self.items[name], self.items.get(next_name)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=next_item)
            if self.failed:
                kind = FAILED
                break
        os.write(tell, f"{kind}\n".encode())
        os._exit(0)


def _limit_processor() -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + SLOW, most))


def _end_group(leader: int) -> None:
    """End what the tests have left running."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of running what was collected, try what is asked for until nothing more comes."""
    if session.testsfailed:
        raise session.Failed("not everything could be collected")
    forks = Forks({item.nodeid: item for item in session.items}, functions())
    gc.freeze()  # a fork shares what it does not touch
    session.config.pluginmanager.register(forks)
    asked, told = (int(number) for number in os.environ[DESCRIPTORS].split())
    with os.fdopen(asked, encoding="utf-8") as trials, os.fdopen(told, "w", encoding="utf-8") as to:
        print(json.dumps(list(forks.items)), file=to, flush=True)
        for line in trials:
            trial = json.loads(line)
            file = Path(trial["file"])
            fault = Fault(file, file.read_text(encoding="utf-8"), trial["after"])
            twins = {} if trial["imported"] else fault.twins()
            outcome = None if twins is None else forks.tried(fault, twins, trial["tests"])
            print(json.dumps(outcome and asdict(outcome)), file=to, flush=True)
    return True
