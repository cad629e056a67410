"""What octochat's tools add to a result can be told from what they show."""

import pytest

from octochat.context.session.tool_marks import ending, numbered, unmarked, without_numbers


def test_numbers_are_taken_off_as_they_were_put_on() -> None:
    lines = ["def f():\n", "\treturn 1\n", "\n", "x"]
    marked = "".join(numbered(n, line) for n, line in enumerate(lines, 98))
    assert marked.startswith("98\tdef f():\n99\t\treturn 1\n100\t\n")
    assert unmarked("read", f"{marked}\n[lines 98 to 101 of 200]") == "".join(lines)
    assert unmarked("bash", marked) == marked, "only a tool that numbers is taken for one"


@pytest.mark.parametrize(
    "text", ["[1, 2, 3]", "[lines]", "x [exit 0 in 1 s]", "[exit 0 in 1 s]\nand more", "[ok]"]
)
def test_a_last_line_that_is_not_octochats_stays(text: str) -> None:
    assert unmarked("bash", text) == text


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("12\tx = 1\n13\t  y", "x = 1\n  y"),
        ("    9→x\n   10→\ty\n", "x\n\ty\n"),
        ("7\tx", "x"),
        ("7\tx\ny", None),
        ("7\tx\n9\ty", None),
        ("7\tx\n8\ty\n10\tz", None),
        ("x\ty", None),
        ("", None),
    ],
)
def test_numbers_that_were_copied_by_mistake_are_told_by_their_order(
    given: str, meant: str | None
) -> None:
    assert without_numbers(given) == meant


@pytest.mark.parametrize(
    "last",
    ["exit status 7", "killed after 400 ms with all that it started", "no output", "3 matches"],
)
def test_how_a_tool_ended_stands_in_its_last_line(last: str) -> None:
    assert ending(f"a\n[{last}]") == last
    assert unmarked("bash", f"a\n[{last}]") == "a"
    assert ending(f"[{last}]\na") == ""
