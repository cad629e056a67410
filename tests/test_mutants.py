"""The faults that `tests.mutants` makes are faults, and each is made in one place."""

import ast
from pathlib import Path

import pytest

from tests.covering import Covering
from tests.faults import mutants
from tests.root import ROOT
from tests.workshop import Workshop, own_tests

CODE = '''
def fits(size: int, most: int | None = 10) -> bool:
    """At most ten."""
    return most is not None and size + 1 <= min(most, 99)


@dataclass(frozen=True)
class Size:
    pass
'''


def test_every_kind_of_place_gets_its_fault_and_nothing_else_changes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    found = list(mutants(Path("a.py"), tmp_path))
    assert sorted((each.before, each.after) for each in found) == [
        ("1", "(2)"),
        ("10", "(11)"),
        ("99", "(100)"),
        ("min(most, 99)", "(max(most, 99))"),
        ("most is not None", "(most is None)"),
        (
            "most is not None and size + 1 <= min(most, 99)",
            "(most is not None or size + 1 <= min(most, 99))",
        ),
        ("size + 1", "(size - 1)"),
        ("size + 1 <= min(most, 99)", "(size + 1 < min(most, 99))"),
    ]
    for each in found:
        assert CODE[each.start : each.end] == each.before
        ast.parse(CODE[: each.start] + each.after + CODE[each.end :])


def verdicts(folder: Path, code: str, tests: str, edited: str = "") -> dict[str, str]:
    """Each fault of a small program by what it becomes, and the test that notices it.

    `edited`: what stands in the file by the time that the faults are made.
    """
    (folder / "octochat").mkdir(parents=True)
    (folder / "octochat" / "__init__.py").touch()
    program = folder / "octochat" / "program.py"
    program.write_text(code)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_program.py").write_text(tests)
    (folder / "tests" / "forked.py").symlink_to(ROOT / "tests" / "forked.py")
    place = Workshop(folder, ("tests",), Covering.of(folder, ("tests",), 1))
    faults = list(mutants(Path("octochat/program.py"), folder))
    program.write_text(edited or code)
    try:
        return {each.after: place.noticed(each).rpartition("::")[2] for each in faults}
    finally:
        place.close()
        assert program.read_text() == (edited or code)


TOTAL = "def total(a, b):\n    return a + b\n"
TOTAL_TEST = (
    "from octochat.program import total\n\ndef test_total():\n    assert total(2, 2) == 4\n"
)


def test_a_fault_that_a_test_notices_does_not_live_and_one_that_none_does_lives(
    tmp_path: Path,
) -> None:
    code = TOTAL + "\n\ndef product(a, b):\n    return a * b\n"
    tests = (
        "from octochat.program import product, total\n\n"
        "def test_total():\n    assert total(2, 2) == 4\n\n"
        "def test_product():\n    assert product(2, 1) == 2\n"
    )
    assert verdicts(tmp_path, code, tests) == {"(a - b)": "test_total", "(a / b)": ""}


def test_faults_are_made_in_what_only_an_import_executes_and_in_what_is_imported_late(
    tmp_path: Path,
) -> None:
    code = "MOST = 3\n\n\nclass Size:\n    least: int = 7\n"
    early = "from octochat.program import MOST, Size\n\ndef test_it():\n    assert MOST == 3\n"
    late = "def test_it():\n    from octochat.program import Size\n    assert Size.least == 7\n"
    assert verdicts(tmp_path / "early", code, early) == {"(4)": "test_it", "(8)": ""}
    assert verdicts(tmp_path / "late", code, late) == {"(4)": "", "(8)": "test_it"}


def test_what_an_import_computes_is_computed_with_the_fault(tmp_path: Path) -> None:
    code = "def most():\n    return 3\n\n\nMOST = most()\nLEAST = 7\n"
    tests = (
        "from octochat.program import LEAST, MOST, most\n\n"
        "def test_most():\n    most()\n    assert MOST == 3\n\n"
        "def test_least():\n    assert LEAST == 7\n"
    )
    assert verdicts(tmp_path, code, tests) == {"(4)": "test_most", "(8)": "test_least"}


def test_a_test_that_fails_without_the_fault_or_only_after_others_says_nothing(
    tmp_path: Path,
) -> None:
    tests = (
        "import sys\nfrom octochat.program import total\n\n"
        "def test_broken():\n    total(1, 1)\n    assert False\n\n"
        "def test_leaves():\n    sys.left = total(2, 0)\n\n"
        "def test_finds():\n    total(1, 0)\n    assert not hasattr(sys, 'left')\n"
    )
    assert verdicts(tmp_path, TOTAL, tests) == {"(a - b)": ""}


def test_what_ends_the_process_or_every_import_is_noticed(tmp_path: Path) -> None:
    code = "import os\n\nassert 1\n\n\ndef go(n):\n    if n > 1:\n        os.abort()\n"
    test = "from octochat.program import go\n\ndef test_it():\n    go(1)\n"
    assert verdicts(tmp_path, code.replace("assert 1", "assert not False"), test) == {
        "(n >= 1)": "test_it",
        "(2)": "",
        "(False)": "the collection of the tests",
        "(True)": "the collection of the tests",
    }


def test_a_copy_whose_tests_have_ended_is_said_and_not_taken_for_a_fault_that_was_noticed(
    tmp_path: Path,
) -> None:
    with pytest.raises(RuntimeError, match="have ended at"):
        verdicts(tmp_path, TOTAL, TOTAL_TEST, edited=TOTAL[1:])


def test_a_fault_faces_the_tests_that_execute_its_line(tmp_path: Path) -> None:
    (tmp_path / "octochat").mkdir()
    (tmp_path / "octochat" / "__init__.py").touch()
    (tmp_path / "octochat" / "sign.py").write_text(
        "def sign(n):\n    if n < 0:\n        return -1\n    return (\n        1\n    )\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_sign.py").write_text(
        "from octochat.sign import sign\n\n"
        "def test_below():\n    assert sign(-5) == -1\n\n"
        "def test_above():\n    assert sign(5) == 1\n"
    )
    covering = Covering.of(tmp_path, ("tests",), 1)
    file, below, above = Path("octochat/sign.py"), "test_below", "test_above"
    for line, names in ((2, [above, below]), (3, [below]), (5, [above])):
        found = covering.tests(file, line, line)
        assert [name.rpartition("::")[2] for name in found] == names
    assert covering.tests(Path("octochat/__init__.py"), 1, 1) == ()


def test_the_tests_of_a_file_are_its_own_or_those_of_its_package() -> None:
    assert own_tests(Path("octochat/storage/log.py")) == ("tests/storage/test_log.py",)
    assert own_tests(Path("octochat/storage/data_folder.py")) == ("tests/storage",)
