"""The facts about OpenClaw's session pruning."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from octochat.config.load import ConfigError, parse
from octochat.context.plans.situation import Situation
from octochat.context.session.content import Image, Text, ToolCall, ToolResult
from octochat.context.session.edits import Hold, Plan
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Opened,
    Prompted,
    Replied,
    Returned,
    Usage,
)
from octochat.context.session.ledger import Ledger
from octochat.context.session.state import replay
from octochat.context.strategies.ttl_prune import (
    HardClear,
    SoftTrim,
    ToolGlobs,
    TtlPrune,
    head_and_tail,
)
from tests.context.strategies.stage import (
    Made,
    after,
    called,
    committed,
    noted,
    quarter,
    replied,
    results,
    said,
    situation,
)

CLEARED = "[Old tool result content cleared]"
ALWAYS = TtlPrune(soft_trim_ratio=0, hard_clear_ratio=0, min_prunable_tool_chars=0)
SOFT = TtlPrune(soft_trim_ratio=0, hard_clear_ratio=1)


def cold(*made: Made, idle: float = 1_000.0, ttl: int = 300, **terms: Any) -> Situation:
    now = situation(*made, now=5_000 + idle, **terms)
    return replace(now, state=replace(now.state, ledger=Ledger(last_call=5_000, ttl=ttl)))


def old(*made: Made) -> tuple[Made, ...]:
    """These first, and three replies behind them."""
    return (said(), *made, replied(), said(), replied(), said(), replied())


OLD, CALL = len("hello" + "fine" + "hello" + "fine" + "hello" + "fine"), len('{"n":0}')
"""Characters of what stands around them, and of each call."""


def test_results_before_the_third_last_reply_are_cleared_and_no_others() -> None:
    long = "x" * 20_000
    now = cold(
        said(), called(long), said(), called(long), said(), called(long), said(), called(long)
    )
    assert results(after(ALWAYS, now)) == [CLEARED, long, long, long]


def test_with_fewer_replies_than_are_kept_nothing_is_pruned() -> None:
    now = cold(said(), called("x" * 20_000), said(), replied())
    assert isinstance(ALWAYS.decide(now), Hold)


def test_a_result_before_the_first_user_message_stays() -> None:
    long = "x" * 20_000
    now = cold(called(long), *old(called(long)))
    assert results(after(ALWAYS, now))[0] == long
    assert results(after(ALWAYS, cold(noted(), called(long), *old()))) == [CLEARED]


@pytest.mark.parametrize(
    ("globs", "exec_goes", "browser_goes"),
    [
        (ToolGlobs(("ex*",), ("exec",)), False, False),
        (ToolGlobs(("ex*",)), True, False),
        (ToolGlobs(("read", "ex*", "write")), True, False),
        (ToolGlobs((), ("*ROW*",)), True, False),
        (ToolGlobs(), True, True),
        (ToolGlobs(("e.ec", "[b]rowser")), False, False),
    ],
)
def test_globs_are_case_insensitive_deny_wins_and_an_empty_allow_is_all(
    globs: ToolGlobs, exec_goes: bool, browser_goes: bool
) -> None:
    now = cold(*old(called("x" * 5_000, tool="Exec"), called("x" * 5_000, tool="Browser")))
    gone = [text == CLEARED for text in results(after(replace(ALWAYS, tools=globs), now))]
    assert gone == [exec_goes, browser_goes]


def test_a_long_text_keeps_head_and_tail_with_the_seeds_note() -> None:
    strategy = replace(SOFT, soft_trim=SoftTrim(10, 6, 6))
    (shown,) = results(after(strategy, cold(*old(called("abcdefghij" * 1_000)))))
    assert shown == (
        "abcdef\n...\nefghij\n\n"
        "[Tool result trimmed: kept first 6 chars and last 6 chars of 10000 chars.]"
    )


@pytest.mark.parametrize(("long", "shown"), [(50_000, 3_087), (4_000, 4_000), (4_001, 3_086)])
def test_the_default_sizes(long: int, shown: int) -> None:
    (text,) = results(after(SOFT, cold(*old(called("x" * long)))))
    assert len(text) == shown


def test_nothing_is_kept_of_a_tail_of_zero() -> None:
    assert head_and_tail("abcdef", 2, 0).startswith("ab\n...\n\n\n[")


@pytest.mark.parametrize(("longer", "trimmed"), [(0, False), (1, True)])
def test_a_result_is_trimmed_only_if_that_makes_it_shorter(longer: int, trimmed: bool) -> None:
    strategy = replace(SOFT, soft_trim=SoftTrim(5, 7, 3))
    text = "x" * (len(head_and_tail("x" * 90, 7, 3)) + longer)
    assert isinstance(strategy.decide(cold(*old(called(text)))), Plan) is trimmed


CLEARING = TtlPrune(
    soft_trim=SoftTrim(max_chars=90_000), context_tokens=20_000, soft_trim_ratio=0.0
)
"""It clears from 40,000 characters on, if the results hold 50,000."""


@pytest.mark.parametrize(("chars", "clears"), [(49_999, False), (50_000, True)])
def test_so_many_characters_of_results_are_enough_to_clear_some(chars: int, clears: bool) -> None:
    now = cold(*old(called("y" * chars)))
    assert isinstance(CLEARING.decide(now), Plan) is clears


@pytest.mark.parametrize(("less", "cleared"), [(0, 2), (1, 1)])
def test_clearing_goes_on_until_the_results_are_below_the_ratio(less: int, cleared: int) -> None:
    second = (
        40_000 - OLD - 2 * CALL - len(CLEARED) - less
    )  # all that is left once the first is cleared
    now = cold(*old(called("x" * 20_000), called("y" * second)))
    assert [text == CLEARED for text in results(after(CLEARING, now))].count(True) == cleared


@pytest.mark.parametrize(("prompt", "cleared"), [(9, 0), (50_000, 3)])
def test_what_was_trimmed_counts_for_what_is_left_of_it(prompt: int, cleared: int) -> None:
    strategy = TtlPrune(context_tokens=20_000, min_prunable_tool_chars=0)
    now = cold(said("x" * prompt), *old(*[called("y" * 20_000)] * 3))
    assert [text == CLEARED for text in results(after(strategy, now))].count(True) == cleared


def test_short_results_are_not_cleared_before_there_are_enough_of_them() -> None:
    strategy = TtlPrune(soft_trim_ratio=0, hard_clear_ratio=0.5)
    huge = said("x" * 800_000)
    few = cold(huge, *old(*[called("y" * 4_000)] * 12))
    assert isinstance(strategy.decide(few), Hold)
    many = cold(huge, *old(*[called("y" * 4_000)] * 13))
    assert results(after(strategy, many)) == [CLEARED] * 13


def test_blocks_are_joined_and_stay_where_trimming_would_make_them_longer() -> None:
    strategy = replace(SOFT, soft_trim=SoftTrim(5, 7, 3))
    now = cold(*old(called((Text("AAAAA"), Text("BBBBB")))))
    assert isinstance(strategy.decide(now), Hold)


def test_results_with_images_are_never_pruned() -> None:
    picture = (Text("x" * 20_000), Image("image/png", "aGk="))
    assert isinstance(ALWAYS.decide(cold(*old(called(picture)))), Hold)


def test_an_image_counts_as_8000_characters() -> None:
    strategy = TtlPrune(
        soft_trim=SoftTrim(99, 9, 9), soft_trim_ratio=0.5, hard_clear_ratio=1, context_tokens=5_000
    )
    text = "x" * (2_000 - OLD - CALL - len("look"))  # it acts from 10,000 characters on
    without = cold(*old(called(text)))
    assert isinstance(strategy.decide(without), Hold)
    pictured = cold(said("look", 10, Image("image/png", "aGk=")), *old(called(text)))
    assert isinstance(strategy.decide(pictured), Plan)
    less = cold(said("loo", 10, Image("image/png", "aGk=")), *old(called(text)))
    assert isinstance(strategy.decide(less), Hold)


@pytest.mark.parametrize(("chars", "acts"), [(239_999, False), (240_000, True)])
def test_below_the_soft_ratio_of_the_window_it_holds(chars: int, acts: bool) -> None:
    units = old(called("y" * 10_000), said("x" * (chars - 10_000 - OLD - CALL)))
    assert isinstance(TtlPrune().decide(cold(*units, window=1_000_000)), Plan if acts else Hold)


def test_the_window_is_the_smaller_of_the_models_and_the_setting() -> None:
    units = old(called("x" * 40_000))
    assert isinstance(TtlPrune().decide(cold(*units)), Hold)
    assert isinstance(TtlPrune().decide(cold(*units, window=20_000)), Plan)
    assert isinstance(TtlPrune(context_tokens=20_000).decide(cold(*units)), Plan)


def test_clearing_begins_with_the_oldest_and_stops_once_below_the_ratio() -> None:
    now = cold(*old(*[called("x" * 20_000)] * 3))  # 60,000 of 80,000 characters
    shown = results(after(CLEARING, now))
    assert [text == CLEARED for text in shown] == [True, True, False]
    off = replace(CLEARING, hard_clear=HardClear(enabled=False))
    assert isinstance(off.decide(now), Hold)


@pytest.mark.parametrize("short", ["ok", "x" * len(CLEARED)])
def test_what_is_no_longer_than_the_placeholder_is_left_alone(short: str) -> None:
    now = cold(*old(called(short, "x" * 9_000)))
    assert results(after(ALWAYS, now)) == [short, CLEARED]
    plan = ALWAYS.decide(now)
    assert isinstance(plan, Plan)
    assert len(plan.trims) == 1


def test_a_failed_result_stays_a_failed_one() -> None:
    view = after(ALWAYS, cold(*old(called("x" * 9_000, failed=True))))
    blocks = [block for message in view.messages("m", binds=False) for block in message.blocks]
    assert ToolResult("c1.0", (Text(CLEARED),), failed=True) in blocks


@pytest.mark.parametrize(("idle", "acts"), [(299.9, False), (300.0, True), (301.0, True)])
def test_it_prunes_at_exactly_the_ttl_and_not_before(idle: float, acts: bool) -> None:
    units = old(called("x" * 20_000))
    assert isinstance(ALWAYS.decide(cold(*units, idle=idle)), Plan) is acts
    fixed = replace(ALWAYS, ttl="5m").decide(cold(*units, idle=idle, ttl=3_600))
    assert isinstance(fixed, Plan) is acts


def test_auto_is_the_life_of_the_cache() -> None:
    units = old(called("x" * 20_000))
    assert isinstance(ALWAYS.decide(cold(*units, idle=3_599, ttl=3_600)), Hold)
    assert isinstance(ALWAYS.decide(cold(*units, idle=3_600, ttl=3_600)), Plan)


def test_without_an_earlier_call_or_turned_off_it_never_prunes() -> None:
    units = old(called("x" * 20_000))
    assert isinstance(ALWAYS.decide(situation(*units, now=9e9)), Hold)
    assert isinstance(replace(ALWAYS, mode="off").decide(cold(*units)), Hold)


def test_pins_and_results_not_seen_yet_stay() -> None:
    assert isinstance(ALWAYS.decide(cold(*old(called("x" * 20_000)), pins=(1,))), Hold)
    unseen = cold(said(), called("x" * 20_000), answering=0)
    assert isinstance(replace(ALWAYS, keep_last_assistants=0).decide(unseen), Hold)


def weigh(event: Event) -> int:
    return quarter(repr(event))


def session() -> list[Entry]:
    events: list[Event] = [Opened("m", "be kind")]
    for n in range(5):
        events += [
            Prompted((Text(f"part {n}"),)),
            Replied((ToolCall(f"c{n}", "read"),), "tool_use", Usage(cache_write=9_000)),
            Returned(f"c{n}", (Text(f"{n}" * 9_000),)),
            Replied((Text("done"),), usage=Usage(cache_write=9_000)),
        ]
    events.append(Prompted((Text("and now?"),)))
    return [Entry(i, 10.0 * i, weigh(e), e) for i, e in enumerate(events, 1)]


def test_after_a_prune_the_next_request_within_the_ttl_has_the_same_bytes() -> None:
    log = session()
    late = log[-1].at + 1_000
    now = Situation(replay(log), quarter, now=late)
    plan = SOFT.decide(now)
    assert isinstance(plan, Plan)
    log.append(Entry(len(log) + 1, late, 0, committed(now, plan)))
    pruned = replay(log)
    assert isinstance(log[-1].event, Condensed)
    assert pruned.view != now.state.view
    sent = pruned.view.messages("m", binds=True)
    for event in (Replied((Text("yes"),), usage=Usage(output=5)), Prompted((Text("go on"),))):
        log.append(Entry(len(log) + 1, late + 5, weigh(event), event))
    again = Situation(replay(log), quarter, now=late + 100)
    assert isinstance(SOFT.decide(again), Hold)
    assert again.state.view.messages("m", binds=True)[: len(sent)] == sent


def test_what_was_trimmed_is_not_trimmed_again_but_may_be_cleared() -> None:
    strategy = replace(SOFT, soft_trim=SoftTrim(200, 100, 100))
    now = cold(*old(called("x" * 20_000)))
    view = after(strategy, now)
    later = replace(now, state=replace(now.state, view=view))
    tighter = replace(strategy, soft_trim=SoftTrim(100, 20, 20))
    assert isinstance(tighter.decide(later), Hold)
    assert results(after(ALWAYS, later)) == [CLEARED]


@pytest.mark.parametrize("ttl", ["5", "soon", "0x1s", ""])
def test_a_ttl_that_is_no_duration_is_refused(ttl: str) -> None:
    with pytest.raises(ConfigError, match=r'ttl_prune\.ttl: expected "auto" or a duration'):
        parse(f'[context.ttl_prune]\nttl = "{ttl}"', Path("c.toml"))
