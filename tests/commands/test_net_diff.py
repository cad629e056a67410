"""What the changes of a file come to, rebuilt from what is in it now."""

from difflib import unified_diff
from itertools import pairwise

import pytest

from octochat.commands.net_diff import net_diff
from octochat.tools.change import Change
from octochat.tools.textfile import Form

ROWS = [f"row {n}\n" for n in range(1, 41)]


def text(**rows: str) -> str:
    """The forty rows, with others in their place: `r3="three\\n"`; empty for none."""
    return "".join(rows.get(f"r{n}", row) for n, row in enumerate(ROWS, 1))


def diffs(*texts: str, new: bool = False) -> list[str]:
    steps = pairwise(texts)
    return [Change(a, b, Form(), new=new and not n).preview("f") for n, (a, b) in enumerate(steps)]


def whole(before: str, after: str) -> str:
    return "".join(
        unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), "f", "f")
    )


@pytest.mark.parametrize(
    "texts",
    [
        (text(), text(r3="three\n"), text(r3="drei\n")),
        (text(), text(r3="three\n"), text(r3="three\n", r30="a\nb\n")),
        (text(), text(r3="", r20="x\ny\nz\n"), text(r3="", r20="y\n", r40="end\n")),
        (text(), "", "one\n"),
    ],
)
def test_several_changes_come_to_one_difference(texts: tuple[str, ...]) -> None:
    assert net_diff(diffs(*texts), texts[-1], "f") == whole(texts[0], texts[-1])


def test_what_was_changed_back_is_no_difference() -> None:
    assert net_diff(diffs(text(), text(r3="x\n"), text()), text(), "f") == ""


def test_a_new_file_is_all_new_whatever_was_done_to_it_since() -> None:
    changes = diffs("", "one\n", "one\ntwo\n", new=True)
    found = net_diff(changes, "one\ntwo\nthree\n", "f")
    assert found == "--- /dev/null\n+++ f\n@@ -0,0 +1,3 @@\n+one\n+two\n+three\n"


def test_a_line_without_an_end_is_told_from_one_that_has_it() -> None:
    texts = (text(), text(r40="last"), text(r40="last\n"))
    assert net_diff(diffs(*texts), texts[-1], "f") == whole(texts[0], texts[-1])
    assert net_diff(diffs(*texts), texts[1], "f") is None


def test_lines_that_somebody_put_above_a_change_move_it() -> None:
    texts = (text(), text(r30="x\n"), text(r30="y\n"))
    assert net_diff(diffs(*texts), "above\n" + texts[-1], "f") == whole(
        "above\n" + texts[0], "above\n" + texts[-1]
    )


def test_a_file_that_is_not_as_the_changes_left_it_has_no_first_state() -> None:
    changes = diffs(text(), text(r3="x\n"), text(r3="y\n"))
    assert net_diff(changes, text(r3="mine\n"), "f") is None
    assert net_diff(changes, "", "f") is None


def test_changes_that_somebody_has_taken_back_are_no_difference() -> None:
    changes = diffs(text(), text(r3="x\n"), text(r3="y\n", r30="z\n"), text(r3="y\n"))
    assert net_diff(changes, text(), "f") == ""
    assert net_diff(changes, "above\n" + text(), "f") == ""


def test_a_file_that_was_filled_and_then_changed_is_not_taken_for_empty() -> None:
    assert net_diff(diffs("", "one\n"), "two\n", "f") is None
    assert net_diff(diffs("", "one\n"), "", "f") == ""


def test_of_two_places_that_a_change_may_have_been_in_none_is_chosen() -> None:
    twice = ["a\n", "b\n", "c\n", "d\n"] * 2
    changes = ["@@ -9,2 +9,2 @@\n a\n-x\n+b\n"] * 2
    assert net_diff(changes, "".join(twice), "f") is None


def test_a_change_of_which_nothing_was_kept_cannot_be_taken_back() -> None:
    assert (
        net_diff(["f: 9,000 lines before, 9,001 after: too long to compare\n"] * 2, "x", "f")
        is None
    )
