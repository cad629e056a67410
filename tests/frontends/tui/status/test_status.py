"""The status line: what it says, what it drops, and when it is drawn."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from octochat.config.load import config_of
from octochat.config.tui_settings import StatusPart
from octochat.context.codec.errors import TreeError
from octochat.frontends.tui.render.blocks import cells
from octochat.frontends.tui.status.gauge import Gauge, Share, bar, next_cost, scale_of
from octochat.frontends.tui.status.parts import seconds_left
from octochat.frontends.tui.status.status_line import DEFAULT, StatusLine, status
from octochat.permissions.modes import CYCLE, words
from tests.frontends.tui.widget_stage import SIZES, THEMES, Snap, Stage

PARTS = (
    Share("system and tools", 6_000),
    Share("skills", 3_000),
    Share("notes", 4_000),
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
    effort="high",
    branch="fix/prices",
)
EVERY = (*DEFAULT, "size", "next", "cache")


def line(
    gauge: Gauge,
    width: int,
    now: float = 0.0,
    word: str = "",
    parts: Sequence[StatusPart] = DEFAULT,
) -> str:
    return status(gauge, word, width, now, parts).plain


def test_the_line_says_who_works_how_in_what_mode_how_full_for_how_much_and_where() -> None:
    said = line(GAUGE, 100)
    for part in ("claude-opus-5-5", "high effort", "ask", "33 %", "$0.123", "fix/prices"):
        assert part in said
    assert "next" not in said
    assert "cache" not in said


def test_the_sandbox_is_said_where_one_is_wanted() -> None:
    assert "sandbox" not in line(GAUGE, 100)
    assert "ask  sandbox  " in line(replace(GAUGE, sandbox="sandbox"), 100)
    assert "no sandbox" in line(replace(GAUGE, sandbox="no sandbox"), 100)


def test_what_is_shown_and_in_which_order_can_be_chosen() -> None:
    assert line(GAUGE, 80, parts=("branch", "mode")) == "fix/prices  ask"
    assert line(GAUGE, 80, parts=("size", "model")) == "60.0k of 180.0k  claude-opus-5-5"
    with pytest.raises(TreeError, match=r'tui\.status\[0\]: expected "model" or .*"modle"'):
        config_of({"tui": {"status": ["modle"]}})


def test_a_mode_in_which_octochat_does_not_ask_as_usual_is_never_left_out() -> None:
    parts: Sequence[StatusPart] = ("model", "context")
    assert line(replace(GAUGE, mode="allow-all"), 60, parts=parts).startswith(" allow all ")
    assert "ask" not in line(replace(GAUGE, mode="ask"), 60, parts=parts)


def test_modes_are_told_apart_and_the_one_that_asks_nothing_warns() -> None:
    shown = {mode: status(replace(GAUGE, mode=mode), "", 100, 0.0) for mode in CYCLE}
    for mode, said in shown.items():
        assert words(mode) in said.plain
    assert "$text-error" in str(shown["allow-all"].spans)
    assert "$text-error" not in str(shown["ask"].spans)


def test_a_wide_line_can_say_everything() -> None:
    said = line(GAUGE, 200, parts=EVERY)
    for part in (
        "60.0k of 180.0k",
        "$0.123",
        "next $0.012, uncached $0.300",
        "cache warm 4:10",
    ):
        assert part in said


def test_a_narrow_line_drops_what_matters_least_and_never_breaks() -> None:
    for width in range(12, 200):
        for parts in (DEFAULT, EVERY):
            shown = status(GAUGE, "", width, 0.0, parts)
            assert cells(shown) <= width
            assert "33 %" in shown.plain
    assert "uncached" not in line(GAUGE, 100, parts=EVERY)
    assert "$0.123" in line(GAUGE, 55)
    assert "opus-5-5" in line(GAUGE, 60)
    assert "prices" in line(GAUGE, 60)
    assert "fix/" not in line(GAUGE, 60)
    assert "edits" in line(replace(GAUGE, mode="accept-edits"), 24)


def test_a_word_stands_first() -> None:
    assert line(GAUGE, 80, word="retrying in 4 s").startswith("retrying in 4 s  ")


def test_the_cache_counts_down_and_goes_cold() -> None:
    def cache(now: float, gauge: Gauge = GAUGE) -> str:
        return line(gauge, 40, now=now, parts=("cache",))

    assert "warm 1:10" in cache(188.5)
    assert "warm 0:45" in cache(208.5)
    assert "warm 0:03" in cache(247.5)
    assert "cold" in cache(251.0)
    assert "cold" not in cache(251.0, replace(GAUGE, warm_until=None))
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
        widget.show(replace(GAUGE, mode="plan"))  # the person waits for that
        assert widget.drawn > before


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_pictures(snap_compare: Snap, theme: str, size: str) -> None:
    lines = [StatusLine(clock=lambda: 0.0) for _ in range(8)]
    lines[-1].parts = EVERY
    gauges = (
        (GAUGE, ""),
        (
            replace(
                GAUGE, mode="plan", size=20_000, parts=PARTS[:2], limit=980_000, warm_until=45.0
            ),
            "",
        ),
        (replace(GAUGE, mode="accept-edits", size=160_000, warm_until=-1.0), ""),
        (replace(GAUGE, size=190_000, cost=12.4), "over the limit"),
        (replace(GAUGE, model="claude-sonnet-5-5", cost=None, next_warm=None), "retry in 4 s"),
        (Gauge("offline", 1_200, 180_000, PARTS[:1], GAUGE.levels, next_warm=None), ""),
        (replace(GAUGE, mode="allow-all", effort="max"), ""),
        (GAUGE, ""),
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
    assert "$0.200, kept for $0.003" in line
    assert "kept" not in str(status(gauge, "", width, 0.0))
