"""The facts about auto-coder's agentic pruner."""

import pytest

from octochat.context.session.content import Image, Text, plain_text
from octochat.context.session.edits import Hold, Plan
from octochat.context.session.view import Prompt, View
from octochat.context.strategies.tool_cleanup import (
    CLEARED,
    CLEARED_XML,
    ToolCleanup,
    cleared_one_by_one,
)
from tests.context.strategies.stage import (
    Made,
    after,
    called,
    committed,
    left,
    replied,
    results,
    said,
    situation,
)

LONG = "x" * 4_000  # 1,000 tokens
XML_CLEARED = (
    "<message>Content cleared to save tokens</message>\n"
    "<content>This message has been cleared. If you still want to get this information, you can "
    "call the tool again to retrieve it.</content>"
)


def xml(tag: str, body: str = LONG) -> str:
    said = "<message>File read successfully</message>"
    return f"<{tag}>\n{said}\n<content>{body}</content>\n</tool_result>"


def text(view: View, unit: int) -> str:
    prompt = view.unit(unit)
    assert isinstance(prompt, Prompt)
    return plain_text(prompt.blocks)


def test_under_the_zone_nothing_changes() -> None:
    now = situation(said(), called(LONG), replied(), said())
    decision = ToolCleanup(safe_zone_tokens=now.size).decide(now)
    assert decision == Hold(f"{now.size:,} tokens are inside the safe zone of {now.size:,}")


@pytest.mark.parametrize(("margin", "acts"), [(0, False), (1, True)])
def test_the_zone_has_50000_tokens_unless_told_otherwise(margin: int, acts: bool) -> None:
    now = situation(said(size=39_000), called(LONG, size=9_000), replied(size=1_000), margin=margin)
    assert now.size == 50_000 + margin
    assert isinstance(ToolCleanup().decide(now), Plan) is acts


def test_the_oldest_is_cleared_first_and_it_stops_once_inside() -> None:
    now = situation(said(), called(LONG), called(LONG), called(LONG), said())
    view = after(ToolCleanup(safe_zone_tokens=now.size - 1), now)
    assert [shown == CLEARED for shown in results(view)] == [True, False, False]
    assert left(view) == [0, 1, 2, 3, 4]
    saved = 1_000 - now.measure(CLEARED)
    for less, cleared in ((1, 1), (saved, 1), (saved + 1, 2)):
        view = after(ToolCleanup(safe_zone_tokens=now.size - less), now)
        assert [shown == CLEARED for shown in results(view)].count(True) == cleared


@pytest.mark.parametrize(("longer", "cleared"), [(0, False), (1, True)])
def test_a_result_as_short_as_the_word_about_it_stays(longer: int, cleared: bool) -> None:
    now = situation(said(), called("r", each=len(CLEARED) // 4 + longer), replied(), said())
    assert isinstance(ToolCleanup(safe_zone_tokens=1).decide(now), Plan) is cleared


def test_low_water_clears_more_at_one_go() -> None:
    now = situation(said(), called(LONG), called(LONG), called(LONG), said())
    view = after(ToolCleanup(safe_zone_tokens=2_900, low_water=0.5), now)
    assert [shown == CLEARED for shown in results(view)] == [True, True, False]


def test_with_low_water_it_never_frees_less_than_from_the_zone_down_to_it() -> None:
    zone = ToolCleanup(safe_zone_tokens=2_900, low_water=0.5)  # 1,450 at the least
    talk = [said(), called(LONG), called(LONG), replied(LONG), replied(LONG), said()]
    one, two = situation(*talk[:2], *talk[3:]), situation(*talk)
    waiting = zone.decide(one)
    assert isinstance(waiting, Hold)
    assert "waits for 1,450" in waiting.why
    assert [shown == CLEARED for shown in results(after(zone, two))] == [True, True]


@pytest.mark.parametrize(("more", "cleared"), [(0, True), (2, False)])
def test_just_as_much_as_from_the_zone_down_to_low_water_is_enough(
    more: int, cleared: bool
) -> None:
    now = situation(said(), called(LONG), replied(LONG), replied(LONG), said())
    saved = 1_000 - now.measure(CLEARED)
    zone = ToolCleanup(safe_zone_tokens=2 * saved + more, low_water=0.5)
    assert isinstance(zone.decide(now), Plan) is cleared


def test_without_low_water_every_result_goes_as_soon_as_it_may() -> None:
    now = situation(said(), called(LONG), replied(LONG), replied(LONG), replied(LONG), said())
    assert results(after(ToolCleanup(safe_zone_tokens=2_900), now)) == [CLEARED]


def test_the_placeholder_is_the_seeds() -> None:
    now = situation(said(), called(LONG), replied(), said())
    words = (
        "This message has been cleared. If you still want to get this information, you can call "
        "the tool again to retrieve it."
    )
    assert results(after(ToolCleanup(safe_zone_tokens=100), now)) == [words]


@pytest.mark.parametrize("units", [(said(LONG), replied(LONG)), (said(), called("ok"), said(LONG))])
def test_without_results_worth_clearing_nothing_changes(units: tuple[Made, ...]) -> None:
    decision = ToolCleanup(safe_zone_tokens=100).decide(situation(*units))
    assert isinstance(decision, Hold)
    assert "can't be reached" in decision.why


def test_a_zone_that_cannot_be_reached_ends_after_one_plan() -> None:
    now = situation(said(), called(LONG), called(LONG), replied(LONG))
    view = after(ToolCleanup(safe_zone_tokens=100), now)
    assert results(view) == [CLEARED, CLEARED]
    again = situation(said(), called(CLEARED), said(LONG))
    assert isinstance(ToolCleanup(safe_zone_tokens=100).decide(again), Hold)


@pytest.mark.parametrize(
    "tag",
    [
        "tool_result tool_name='ReadFileTool' success='true'",
        "tool_result tool_name='ReadFileTool' success='false'",
        'tool_result tool_name="ReadFileTool" success="true"',
        "tool_result success='false' tool_name='Read>File'",
        'tool_result\n  is_error="true"\n  tool_name = "It\'s"  ',
    ],
)
def test_results_in_xml_are_cleared_and_keep_their_tag(tag: str) -> None:
    now = situation(said(), replied(), said(xml(tag)), replied(), said())
    view = after(ToolCleanup(safe_zone_tokens=100), now)
    assert text(view, 2) == f"<{tag}>\n{XML_CLEARED}\n</tool_result>"
    assert left(view) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "body",
    [
        "if a < b and c == 'x: <!-- <tool_result> & <script>" + LONG,
        "{'database': {'host': 'localhost'}}" * 100,
        "<a b='c" + LONG,
    ],
)
def test_what_is_no_xml_inside_a_result_does_no_harm(body: str) -> None:
    tag = "tool_result tool_name='A' success='true'"
    before = f"look:\n{xml(tag, body)}\nand\n{xml(tag)} so"
    *_, last = cleared_one_by_one(before)
    cleared = f"<{tag}>\n{XML_CLEARED}\n</tool_result>"
    assert last == f"look:\n{cleared}\nand\n{cleared} so"


@pytest.mark.parametrize(
    "unclear",
    [
        xml("tool_result success='true'"),
        xml("tool_results tool_name='A'"),
        f"<tool_result tool_name='A'>{LONG}",
        f"a sentence about <tool_result> and tool_name= {LONG}</tool_result>",
        xml("tool_result tool_name='A'", "short"),
        "<tool_result tool_name='A'>" + "x" * (len(CLEARED_XML) - 14) + "</tool_result>",
    ],
)
def test_what_is_no_result_or_a_short_one_stays(unclear: str) -> None:
    assert list(cleared_one_by_one(unclear)) == []


def test_of_several_results_in_one_prompt_only_as_many_go_as_are_needed() -> None:
    tag = "tool_result tool_name='A' success='true'"
    three = said("\n".join([xml(tag)] * 3), None, Image("image/png", "aGk="))
    now = situation(three, replied(), said())
    view = after(ToolCleanup(safe_zone_tokens=now.size - 1_200), now)
    assert text(view, 0).count(CLEARED) == 2
    assert text(view, 0).endswith(xml(tag))
    prompt = view.unit(0)
    assert isinstance(prompt, Prompt)
    assert prompt.blocks[1:] == (Image("image/png", "aGk="),)


def test_the_prompt_being_answered_and_pins_keep_their_results() -> None:
    tag = "tool_result tool_name='A' success='true'"
    now = situation(said(xml(tag)), replied(), said(xml(tag)), answering=2, pins=(0,))
    assert isinstance(ToolCleanup(safe_zone_tokens=100).decide(now), Hold)


def test_a_failed_result_stays_failed() -> None:
    view = after(ToolCleanup(100), situation(said(), called(LONG, failed=True), replied()))
    blocks = [block for message in view.messages("m", binds=False) for block in message.blocks]
    assert [getattr(block, "failed", None) for block in blocks if hasattr(block, "call_id")] == [
        True
    ]
    assert Text(CLEARED) in [b for block in blocks for b in getattr(block, "content", ())]


def test_its_plan_counts_every_result_that_it_clears() -> None:
    tag = "tool_result tool_name='A' success='true'"
    now = situation(said("\n".join([xml(tag)] * 2)), called(LONG, "ok"), called(LONG), said())
    plan = ToolCleanup(safe_zone_tokens=now.size - 2_900).decide(now)
    assert isinstance(plan, Plan)
    assert committed(now, plan).results_shortened == 3
