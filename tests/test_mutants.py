"""The faults that `tests.mutants` makes are faults, and each is made in one place."""

import ast
from pathlib import Path

from tests.covering import Covering
from tests.faults import mutants
from tests.mutants import Workshop, own_tests

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


def test_a_fault_that_a_test_notices_does_not_live_and_one_that_none_does_lives(
    tmp_path: Path,
) -> None:
    (tmp_path / "octochat").mkdir()
    (tmp_path / "octochat" / "__init__.py").touch()
    (tmp_path / "octochat" / "sum.py").write_text("def total(a, b):\n    return a + b\n")
    (tmp_path / "tests").mkdir()
    test = tmp_path / "tests" / "test_sum.py"
    test.write_text(
        "from octochat.sum import total\n\ndef test_it():\n    assert total(2, 2) == 4\n"
    )
    (fault,) = mutants(Path("octochat/sum.py"), tmp_path)
    workshop = Workshop(tmp_path, all_tests=("tests",))
    assert not workshop.lives(fault)
    test.write_text(test.read_text().replace("(2, 2) == 4", "(2, 0) == 2"))
    assert workshop.lives(fault)
    assert (tmp_path / "octochat" / "sum.py").read_text() == "def total(a, b):\n    return a + b\n"


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
