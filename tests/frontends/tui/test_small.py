"""What is shown on a terminal of 60 by 15."""

from pathlib import Path

import pytest

from octochat.frontends.tui.render.blocks import break_rows, cells
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.frontends.tui.transcript.cards.report import ReportCard
from octochat.frontends.tui.transcript.news_line import NewsLine
from octochat.models.claude.credentials import NO_KEY
from octochat.session.opening import offline_notice
from tests.frontends.tui.stage import on_stage
from tests.frontends.tui.told import NOON

SMALL = (60, 15)


def drawn(source: str, width: int) -> list[str]:
    rows = break_rows(ReportCard(NOON, source).blocks(Page(width, NOON)), width)
    for row in rows:
        lead = row.block.lead if row.first else row.block.hang
        assert cells(lead) + cells(row.text) <= width
    return [
        f"{(row.block.lead if row.first else row.block.hang).plain}{row.text.plain}".rstrip()
        for row in rows
    ]


def test_what_is_too_long_for_a_column_goes_on_under_its_beginning() -> None:
    assert drawn("/pin [N]  keep a unit through every compression\n\nfree", 30) == [
        "│ /pin [N]  keep a unit",
        "│           through every",
        "│           compression",
        "│",
        "│ free",
    ]


def test_a_line_that_stands_far_in_goes_on_as_far_in() -> None:
    assert drawn("         Set the key, or the address of a local server.", 36) == [
        "│          Set the key, or the",
        "│          address of a local",
        "│          server.",
    ]


def test_what_has_no_columns_near_stands_in_as_far_as_it_is_indented() -> None:
    assert drawn("  pressure: holds: 3,923 tokens", 26) == [
        "│   pressure: holds: 3,923",
        "│     tokens",
    ]
    assert drawn("a name that is long  and 漢字漢字 after it", 26) == [
        "│ a name that is long  and",
        "│ 漢字漢字 after it",
    ]


async def test_the_first_start_is_seen_from_its_top_with_what_it_says_of_the_key(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path, SMALL) as stage:
        stage.chat.view.note(offline_notice(NO_KEY))
        stage.transcript.update()
        await stage.pilot.pause()
        shown = " ".join(stage.text().split())
        assert "octochat offline in" in shown
        assert "! ls -l" in shown
        assert offline_notice(NO_KEY).split("\n")[0].split()[-1] in shown


async def test_the_busy_input_says_all(tmp_path: Path) -> None:
    async with on_stage(tmp_path, SMALL) as stage:
        stage.app.prompt.busy = True
        await stage.pilot.pause()
        assert "Esc stops it" in stage.screen()
        stage.app.prompt.busy = False


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (
            100,
            "↑↓ cards · Enter opens · m all · y copies · c code · Esc back   ↓ 1,234 lines below",
        ),
        (72, "↑↓ Enter opens · m all · y copies · c code · Esc   ↓ 1,234 lines below"),
        (60, "↑↓ Enter opens · m all · y copies · c code · Esc   ↓ 1,234"),
        (50, "↑↓ Enter opens · m all · y copies · c code · Esc"),
    ],
)
async def test_the_keys_of_the_transcript_are_cut_nowhere(
    tmp_path: Path, width: int, said: str
) -> None:
    async with on_stage(tmp_path, (width, 15)) as stage:
        news = stage.app.query_one(NewsLine)
        news.tell(1_234, 0, browsing=True)
        assert str(news.render()) == said


async def test_the_parts_of_the_context_are_not_torn_from_their_signs(tmp_path: Path) -> None:
    async with on_stage(tmp_path, SMALL) as stage:
        await stage.says("hello")
        await stage.types("/context")
        await stage.until(lambda: "conversation" in stage.screen())
        await stage.pilot.pause()
        lines = [line for line in stage.screen().splitlines() if "margin and uncounted" in line]
        assert "▁ margin and uncounted 1.0k" in lines[0]
