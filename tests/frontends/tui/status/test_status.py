"""The status line: what it says, what it drops, and when it is drawn."""

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from octochat.frontends.tui.render.blocks import cells
from octochat.frontends.tui.status.gauge import Gauge, Share, bar, next_cost, scale_of
from octochat.frontends.tui.status.status_line import StatusLine, seconds_left, status
from tests.frontends.tui.widget_stage import SIZES, THEMES, Snap, Stage

PARTS = (
    Share("system and tools", 6_000),
    Share("skills", 3_000),
    Share("summary", 4_000),
    Share("conversation", 47_000),
)
GAUGE = Gauge(
    model="claude-opus-5-5",
    size=60_000,
    limit=180_000,
    parts=PARTS,
    levels=(50_000, 100_000, 150_000),
    cost=0.1234,
    next_warm=0.012,
    next_cold=0.3,
    warm_until=250.0,
)


def line(gauge: Gauge, width: int, now: float = 0.0, word: str = "") -> str:
    return status(gauge, word, width, now).plain


def test_a_wide_line_says_everything() -> None:
    said = line(GAUGE, 160)
    for part in (
        "claude-opus-5-5",
        "60.0k of 180.0k",
        "$0.123",
        "next $0.012, uncached $0.300",
        "cache warm 4:10",
    ):
        assert part in said


def test_a_narrow_line_drops_what_matters_least_and_never_breaks() -> None:
    for width in range(12, 200):
        shown = status(GAUGE, "", width, 0.0)
        assert cells(shown) <= width
        assert "60.0k" in shown.plain
    assert "next" not in line(GAUGE, 55)
    assert "$0.123" in line(GAUGE, 55)
    assert "opus-5-5" in line(GAUGE, 60)


def test_a_word_stands_first() -> None:
    assert line(GAUGE, 80, word="retrying in 4 s").startswith("retrying in 4 s  ")


def test_the_cache_counts_down_and_goes_cold() -> None:
    assert "warm 1:10" in line(GAUGE, 100, now=188.5)
    assert "warm 0:45" in line(GAUGE, 100, now=208.5)
    assert "warm 0:03" in line(GAUGE, 100, now=247.5)
    assert "cold" in line(GAUGE, 100, now=251.0)
    assert "cold" not in line(replace(GAUGE, warm_until=None), 100)
    assert seconds_left(GAUGE, 1000.0) == 0.0


def test_the_parts_of_the_bar_are_as_long_as_they_weigh() -> None:
    drawn = bar(replace(GAUGE, levels=()), 61).plain
    assert drawn.count("█") == 2
    assert drawn.count("▓") == 1
    assert drawn.count("▒") == 1
    assert drawn.count("▄") == 16
    assert drawn.count("·") == 40


def test_levels_are_ticks_that_change_when_passed() -> None:
    drawn = bar(GAUGE, 61).plain
    assert drawn[50_000 * 60 // 180_000] == "┃"
    assert drawn[100_000 * 60 // 180_000] == "┆"


def test_a_small_context_in_a_huge_window_is_still_seen() -> None:
    huge = replace(GAUGE, limit=1_000_000)
    assert scale_of(huge) == 187_500
    assert bar(huge, 40).plain.endswith("›")
    assert bar(GAUGE, 40).plain.endswith("▏")


def test_the_next_request_is_priced_from_the_cache_and_without() -> None:
    assert next_cost(GAUGE) == "next $0.012, uncached $0.300"
    assert next_cost(replace(GAUGE, next_warm=0.3)) == "next $0.300"
    assert next_cost(replace(GAUGE, next_warm=None)) == ""


def test_an_empty_gauge_draws() -> None:
    assert line(Gauge("offline", 0, 0), 60)


async def test_a_click_asks_for_the_context() -> None:
    widget = StatusLine(clock=lambda: 0.0)
    app = Stage(widget)
    async with app.run_test(message_hook=app.hear) as pilot:
        widget.show(GAUGE)
        await pilot.click(StatusLine)
        await pilot.pause()
        assert len(app.of(StatusLine.ContextRequested)) == 1


class Counting(StatusLine):
    """Counts how often it is drawn."""

    drawn = 0

    def refresh(self, *regions: object, **how: object) -> "Counting":
        self.drawn += 1
        return self


async def test_many_changes_within_a_second_are_drawn_once() -> None:
    widget = Counting(clock=lambda: 0.0)
    async with Stage(widget).run_test() as pilot:
        widget.show(GAUGE)
        before = widget.drawn
        for size in range(100):
            widget.show(replace(GAUGE, size=size))
        await pilot.pause()
        assert widget.drawn == before


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_pictures(snap_compare: Snap, theme: str, size: str) -> None:
    lines = [StatusLine(clock=lambda: 0.0) for _ in range(6)]
    gauges = (
        (GAUGE, ""),
        (replace(GAUGE, size=20_000, parts=PARTS[:2], limit=980_000, warm_until=45.0), ""),
        (replace(GAUGE, size=160_000, warm_until=-1.0), ""),
        (replace(GAUGE, size=190_000, cost=12.4), "over the limit"),
        (replace(GAUGE, model="claude-sonnet-5-5", cost=None, next_warm=None), "retry in 4 s"),
        (Gauge("offline", 1_200, 180_000, PARTS[:1], GAUGE.levels, next_warm=None), ""),
    )

    async def before(pilot: Pilot[None]) -> None:
        for widget, (gauge, word) in zip(lines, gauges, strict=True):
            widget.show(gauge, word)
        await pilot.pause()

    assert snap_compare(Stage(*lines, theme=theme), terminal_size=SIZES[size], run_before=before)


@pytest.mark.parametrize("width", [76, 120])
def test_what_keeping_the_cache_warm_costs_next_is_said_also_where_there_is_little_room(
    width: int,
) -> None:
    gauge = Gauge("claude-sonnet-5-5", 21_700, 980_000, cost=0.2, next_warm=0.009, warm_until=300.0)
    line = str(status(replace(gauge, warmth=0.003), "", width, 0.0))
    assert "warm 5:00  kept for $0.003" in line
    assert "kept" not in str(status(gauge, "", width, 0.0))
