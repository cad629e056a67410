"""What a call or a reply does to files, and what is too long to be a path or a shell line."""

import pytest

from octochat.context.notes.touched import Touched, touched, written_in
from octochat.context.session.content import ToolCall


@pytest.mark.parametrize(("length", "found"), [(399, True), (400, False)])
def test_a_path_has_less_than_400_characters(length: int, found: bool) -> None:
    path = "a.py".rjust(length, "x")
    expected = Touched(read=(path,)) if found else Touched()
    assert touched(ToolCall("1", "Read", {"path": path})) == expected
    assert touched(ToolCall("1", "bash", {"command": f"cat {path}"})) == expected


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("*** Begin Patch\n*** Update File: a/b.py\n@@\n-x", ("a/b.py",)),
        ("a/b.py\n```python\n<<<<<<< SEARCH\nx", ("a/b.py",)),
        ("*** Update File: a/b.py", ()),
        ("look at a/b.py", ()),
    ],
)
def test_a_reply_changes_files_by_patches_and_by_blocks_to_replace(
    said: str, changed: tuple[str, ...]
) -> None:
    assert written_in(said) == changed


def test_an_empty_path_and_one_of_two_lines_are_none() -> None:
    assert touched(ToolCall("1", "Read", {"paths": ["", "a\nb", "c"]})) == Touched(read=("c",))


@pytest.mark.parametrize("before", ["sudo", "A=1", "time A=1 sudo", "B=2 env"])
def test_what_stands_before_a_program_is_none(before: str) -> None:
    found = touched(ToolCall("1", "bash", {"command": f"{before} cat a.py"}))
    assert found == Touched(read=("a.py",))


@pytest.mark.parametrize(("length", "found"), [(8_000, True), (8_001, False)])
def test_of_a_shell_line_the_first_8000_characters_are_read(length: int, found: bool) -> None:
    line = "/bin/cat " + " a.py".rjust(length - len("/bin/cat "))
    expected = Touched(read=("a.py",)) if found else Touched()
    assert touched(ToolCall("1", "bash", {"command": line})) == expected
