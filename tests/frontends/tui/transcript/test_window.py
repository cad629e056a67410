"""The window: any place of any session, exactly, measuring only what is looked at."""

from hypothesis import given
from hypothesis import strategies as st

from octochat.frontends.tui.transcript.window import Window


def built(heights: list[int], guess: int = 3) -> tuple[Window, list[int]]:
    measured: list[int] = []

    def measure(index: int) -> int:
        measured.append(index)
        return heights[index]

    window = Window(measure)
    for _ in heights:
        window.append(guess)
    return window, measured


heights = st.lists(st.integers(0, 12), min_size=1, max_size=60)


@given(heights, st.integers(1, 30))
def test_the_end_shows_the_last_rows_and_the_top_is_reached_by_scrolling(
    rows: list[int], view: int
) -> None:
    window, _ = built(rows)
    window.end(view)
    shown = sum(rows[window.card :]) - window.row
    assert shown == min(view, sum(rows))
    for _ in range(sum(rows)):
        window.scroll(-1)
    assert window.place == 0


@given(heights, st.integers(0, 400), st.integers(0, 200))
def test_scrolling_down_by_n_moves_exactly_n_rows(rows: list[int], start: int, by: int) -> None:
    window, _ = built(rows)
    window.jump(start)
    before = sum(rows[: window.card]) + window.row
    window.scroll(by)
    after = sum(rows[: window.card]) + window.row
    if window.card < len(rows) - 1:
        assert after == before + by


@given(heights, st.lists(st.integers(0, 59), max_size=20))
def test_sums_agree_with_the_heights_after_any_measuring(
    rows: list[int], looked_at: list[int]
) -> None:
    window, _ = built(rows)
    known = [3] * len(rows)
    for index in looked_at:
        if index < len(rows):
            known[index] = window.height(index)
    assert [window.top(i) for i in range(len(rows) + 1)] == [
        sum(known[:i]) for i in range(len(rows) + 1)
    ]
    for line in range(sum(known)):
        card, row = window.at(line)
        assert sum(known[:card]) + row == line
        assert 0 <= row < known[card]


@given(heights, st.integers(0, 59))
def test_cut_keeps_the_sums_of_what_is_left(rows: list[int], count: int) -> None:
    window, _ = built(rows)
    window.cut(count)
    window.append(5)
    assert window.total == 3 * min(count, len(rows)) + 5


def test_a_long_session_is_measured_only_where_it_is_looked_at() -> None:
    window, measured = built([7] * 20_000)
    window.end(40)
    assert len(measured) <= 7
    window.jump(60_000 // 2)
    window.settle(40)
    assert len(measured) <= 15


def test_a_card_that_grows_above_the_view_does_not_move_the_view() -> None:
    rows = [4] * 100
    window, _ = built(rows)
    window.jump(120)
    card, row = window.card, window.row
    rows[0] = 50
    window.forget(0)
    window.height(0)
    assert (window.card, window.row) == (card, row)
    assert window.place == window.top(card) + row
