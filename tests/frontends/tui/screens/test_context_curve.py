"""The curve of the context: what changed it is marked, and it fits whatever room there is."""

from dataclasses import replace

import pytest

from octochat.context.session.events import Reverted, Rewound, TaskEnded
from octochat.frontends.tui.render.blocks import cells
from octochat.frontends.tui.screens.context_curve import Point, drawn, fitted, points
from tests.frontends.tui.told import Told


def test_compressions_and_ends_of_tasks_are_marked_where_they_happened() -> None:
    told = Told()
    told.opened()
    for number in range(3):
        told.turn(number)
    told.condensed(2, 7)
    told.add(TaskEnded())
    history = points([replace(entry, size=1_000) for entry in told.entries])
    assert [point.mark for point in history if point.mark] == ["fold", "done"]
    fold = next(n for n, point in enumerate(history) if point.mark == "fold")
    assert history[fold].size < history[fold - 1].size


def test_what_is_restored_and_what_is_undone_shows_in_the_size() -> None:
    told = Told()
    told.opened()
    for number in range(3):
        told.turn(number)
    whole = points(told.entries)[-1].size
    fold = told.condensed(2, 7)
    told.add(Reverted(fold.id, None, after=whole))
    assert points(told.entries)[-1].size == whole
    told.add(Rewound(1))
    assert points(told.entries)[-1].size == points(told.entries[:1])[-1].size


def test_a_call_after_the_cache_expired_is_marked() -> None:
    told = Told()
    told.opened()
    told.turn(1)
    told.asks("Still there?", after=4_000)
    told.turn(2)
    assert "cold" in [point.mark for point in points(told.entries)]


@pytest.mark.parametrize("count", [0, 1, 5, 70, 1_000])
@pytest.mark.parametrize("width", [20, 80])
def test_it_is_never_wider_than_its_room(count: int, width: int) -> None:
    history = [Point(n * 100, "fold" if n % 7 == 0 else "") for n in range(count)]
    picture = drawn(history, (1_000, 60_000), width, 6)
    assert all(cells(line) <= width for line in picture.split("\n"))


def test_of_neighbours_the_most_important_mark_is_kept() -> None:
    history = [Point(1), Point(2, "fold"), Point(3, "cold"), Point(4)]
    assert [point.mark for point in fitted(history, 2)] == ["fold", "cold"]
    assert fitted(history, 1)[0] == Point(4, "fold")
