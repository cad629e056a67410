"""`/cost`: the bill by model and purpose."""

from pathlib import Path

from octochat.commands.base import Report
from octochat.commands.cost_text import spent
from octochat.context.session.content import Text
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Held,
    KeptWarm,
    Prompted,
    Replied,
    Rewound,
    Usage,
)
from tests.offline_session import at_home, opened, told

USED = Usage(fresh=100, cache_read=900, cache_write=50, output=20)
EVENTS: tuple[Event, ...] = (
    Prompted((Text("hi"),)),
    Replied((Text("a"),), usage=USED, model="big", cost=0.5),
    Replied((Text("b"),), usage=USED, model="small", cost=None),
    Rewound(1),
    Replied((Text("c"),), usage=USED, model="big", cost=0.25),
    Condensed("pressure", "", 9, 5, writer="small", usage=USED, cost=0.02),
    Condensed("pressure", "", 9, 5, writer="extractive"),
    Held("pressure", "", writer="small", usage=USED, cost=0.01),
    KeptWarm("big", USED, 0.03),
)


def test_calls_are_summed_by_model_and_purpose_and_what_was_undone_stays() -> None:
    rows = spent([Entry(n, 0.0, 0, event) for n, event in enumerate(EVENTS, 1)], "offline")
    assert [(row.model, row.what, row.calls, row.cost, row.unpriced) for row in rows] == [
        ("big", "answers", 2, 0.75, 0),
        ("small", "answers", 1, 0.0, 1),
        ("small", "notes", 2, 0.03, 0),
        ("big", "cache kept warm", 1, 0.03, 0),
    ]
    assert rows[0].usage == USED + USED


async def test_the_report_has_a_row_each_and_the_sums(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        for event in EVENTS[:3]:
            session.engine.append(event)
        (report,) = await told(session, "/cost")
        assert isinstance(report, Report)
        lines = report.text.splitlines()
        assert lines[0] == "The session has cost $0.500."
        assert "  big    answers: 1 call, $0.500" in lines
        assert "  small  answers: 1 call, $0.000 (1 call without a known price)" in lines
        assert "    100 tokens in, 900 read from the cache, 50 written to it, 20 out" in lines
        assert report.data["by"][0]["cache_read_tokens"] == 900
        assert report.data["cost_usd"] == 0.5
        await session.close()


async def test_before_the_first_call_it_is_nothing(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        (report,) = await told(session, "/cost")
        assert isinstance(report, Report)
        assert report.text == "The session has cost $0.000."
        await session.close()
