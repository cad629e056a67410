"""Which files a command takes in besides its own."""

import pytest

from octochat.permissions.takers import files_taken


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("git", ()),
        ("git log a --stat b", ()),
        ("git commit -m F", ()),
        ("git commit -- x", ()),
        ("git commit --no-file x", ()),
        ("git commit -F x y", (("-F", "x"),)),
        ("git commit -Fx", (("-F", "x"),)),
        ("git commit -aF x", (("-F", "x"),)),
        ("git commit --file=x", (("--file", "x"),)),
        ("git commit --fil x", (("--file", "x"),)),
        ("git commit -F", ()),
        ("git grep -f x", (("-f", "x"),)),
        ("git status -F x", ()),
        ("git add --pathspec-from-file=x", (("--pathspec-from-file", "x"),)),
        ("git diff a b", (("a", "a"), ("b", "b"))),
    ],
)
def test_git_takes_in_the_files_that_its_options_name(
    line: str, files: tuple[tuple[str, str], ...]
) -> None:
    taken = set(files_taken(tuple(line.split())))
    assert {(risk, file) for kind, risk, file in taken if kind == "read" and file} == set(files)


def test_formatters_rewrite_what_they_are_given_and_tests_are_run() -> None:
    assert set(files_taken(("ruff", "--fix", "a.py"))) == {("read", "a.py", "a.py")}
    assert set(files_taken(("uv", "run", "black", "a.py"))) == {("read", "a.py", "a.py")}
    for module in ("black", "ruff"):
        taken = set(files_taken(("python", "-m", module, "a.py")))
        assert taken == {("read", "a.py", "a.py")}
    assert set(files_taken(("python", "-m"))) == set()
    assert set(files_taken(("pytest", "-x", "a.py::b"))) == {("run", "a.py::b", "a.py")}
    assert set(files_taken(("cat", "a.py"))) == set()
