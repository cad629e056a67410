"""Code breaks into rows between its words, and nothing of it is lost."""

import random

import pytest
from rich.cells import cell_len
from textual.content import Content

from octochat.frontends.tui.render.folding import folded


def rows(line: str, room: int) -> list[str]:
    """The rows of a line."""
    return [row.plain for row in folded(Content(line), room)]


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("compute(argument_1, argument_2)", ["compute(argument_1, ", "argument_2)"]),
        ("/usr/share/doc/packages/readme", ["/usr/share/doc", "/packages/readme"]),
        ("pytest -q tests --maxfail=1", ["pytest -q tests ", "--maxfail=1"]),
        ("x = " + "a" * 40, ["x = " + "a" * 16, "a" * 20, "a" * 4]),
        ("                deep_inside", ["                deep", "_inside"]),
        ("print('価格は百円です', end='')", ["print('価格は百円で", "す', end='')"]),
    ],
)
def test_a_word_that_fits_on_a_row_is_not_broken(line: str, seen: list[str]) -> None:
    assert rows(line, 20) == seen


def test_whatever_the_line_nothing_is_lost_and_no_row_is_too_wide() -> None:
    dice = random.Random(7)
    for _ in range(500):
        line = "".join(dice.choices("ab_ .,(価👩\u0301", k=dice.randint(0, 90)))
        room = dice.randint(4, 30)
        found = rows(line, room)
        assert "".join(found) == line
        assert all(cell_len(row) <= room for row in found)
