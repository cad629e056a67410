"""What files a command line touches, and whether all that it does is allowed."""

from pathlib import Path

import pytest

from octochat.permissions.line_check import files_read_by, files_written_by, guards_of
from octochat.permissions.protected import protecting
from tests.permissions.test_rules import rules, verdict

WORK = Path("/work")


def named(found: set[Path], folder: Path = WORK) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in found}


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("cat a b", {"cat", "a", "b"}),
        ("cd sub; cat a", {"sub/cat", "sub/a", "cat", "a"}),
        ("cat < a", {"cat", "a"}),
        ("echo a < b", {"b"}),
        ("rm a", set[str]()),
        ("for i in a; do cat b; done", {"for", "i", "in", "a", "do", "cat", "b", "done"}),
    ],
)
def test_a_line_reads_whatever_it_names_but_for_what_is_only_printed(
    line: str, files: set[str]
) -> None:
    assert named(set(files_read_by(line, WORK))) == files


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("echo a > b; make x", {"b"}),
        ("cat a", set[str]()),
        ("rm a", {"rm", "a"}),
        ("timeout 5 rm a", {"rm", "a"}),
        ("sed -n p a", set[str]()),
        ("sed -i p a", {"sed", "-i", "p", "a"}),
        ("cd sub; touch a", {"sub/touch", "sub/a", "touch", "a"}),
        ("for i in 1; do echo >> 'a' > b; done", {"a", "b"}),
    ],
)
def test_a_line_writes_what_it_redirects_into_and_what_its_programs_are_known_to_write(
    line: str, files: set[str]
) -> None:
    assert named(set(files_written_by(line, WORK))) == files


def test_a_pattern_stands_for_the_files_that_are_there(tmp_path: Path) -> None:
    for name in ("a1", "a2", "b"):
        (tmp_path / name).touch()
    assert named(set(files_read_by("cat a*", tmp_path)), tmp_path) == {"cat", "a1", "a2"}
    assert named(set(files_written_by("rm a*", tmp_path)), tmp_path) == {"rm", "a1", "a2"}
    # What can't be told is taken as it is written.
    assert named(set(files_written_by("rm */*/*", tmp_path)), tmp_path) == {"rm", "*/*/*"}
    assert named(set(files_read_by("cat */*/*", tmp_path)), tmp_path) == {"cat", "*/*/*"}
    assert guards_of("cp .git/*/*/* x", tmp_path, lambda path: protecting(path, ())) == {".git"}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("cat .git/x", set[str]()),
        ("cp x .git/y", {".git"}),
        ("make x > .ssh/y", {".ssh"}),
        ("cd .ssh; touch ../.git/x", {".git", ".ssh"}),
        ("cd .git", set[str]()),
        ("git", set[str]()),
        ("git add .git/x", set[str]()),
        ("git mv .git/x y", {".git"}),
        ("for i in 1; do cp a .git/x; done", {".git"}),
    ],
)
def test_the_protected_names_that_a_line_may_write(line: str, names: set[str]) -> None:
    assert guards_of(line, WORK, lambda path: protecting(path, (WORK,))) == names


def test_a_file_elsewhere_may_be_rewritten_where_it_may_be_read_but_no_test_is_run_there(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    free = rules(f"bash(pytest *), bash(ruff *), read({tmp_path}/lib/**)", folder=folder)
    for line, result in (
        ("pytest a.py", "Allowed"),
        ("pytest ../lib/a.py", "Ask"),
        ("ruff format a.py", "Allowed"),
        ("ruff format ../lib/a.py", "Allowed"),
        ("ruff format ../other/a.py", "Ask"),
    ):
        assert verdict(line, free) == result, line


@pytest.mark.parametrize(
    ("allow", "line", "result"),
    [
        ("bash(*)", "make x", "Allowed"),
        ("bash(*)", "./make x", "Allowed"),
        ("bash(* x)", "make x", "Allowed"),
        ("bash(* x)", "./make x", "Ask"),
        ("bash(git -c *)", "git -c a=b log", "Allowed"),
        ("bash(git *)", "git -c a=b log", "Ask"),
        ("bash(git -c * -C *)", "git -c a=b -C . log", "Allowed"),
        ("bash(git -c *)", "git -c a=b -C . log", "Ask"),
        ("bash(git -c a=b log)", "git -c a=b log", "Allowed"),
        ("bash(git log *)", "git -P log", "Allowed"),
        ("bash(git log *)", "git -p log", "Ask"),
    ],
)
def test_a_pattern_covers_what_it_spells_out(allow: str, line: str, result: str) -> None:
    assert verdict(line, rules(allow)) == result


def test_below_a_folder_up_to_3000_files_are_looked_through_for_what_a_rule_keeps(
    tmp_path: Path,
) -> None:
    (tmp_path / "many").mkdir()
    for number in range(3_000):
        (tmp_path / f"many/{number}").touch()
    ruled = rules(deny="read(secret)", folder=tmp_path)
    assert verdict("grep -r x many", ruled) == "Allowed"
    (tmp_path / "many/3000").touch()
    assert verdict("grep -r x many", ruled) == "Ask"
    assert verdict("grep -r x many", rules(folder=tmp_path)) == "Allowed"
