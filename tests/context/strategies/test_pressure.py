"""Pressure: every rule of docs/compression.md, boundaries included."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from octochat.config.load import parse
from octochat.context.economics.prices import Prices, Rates
from octochat.context.economics.worth import Writer
from octochat.context.plans.commit import commit
from octochat.context.plans.ranges import going
from octochat.context.plans.strategy import Level
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold, Hold, NoteRequest, Plan
from octochat.context.session.events import Condensed, Event, Reverted, TaskEnded, Usage
from octochat.context.session.view import Prompt, Step
from octochat.context.session.watermarks import Watermark, Watermarks
from octochat.context.strategies.pressure import (
    DEFAULT_LEVELS,
    Pressure,
    escalated,
    fold_range,
    growth_required,
    matched_level,
)
from tests.build import SONNET, Story, exchanges

LEVELS = (Level(60_000, 2.0), Level(120_000, 4.0), Level(160_000, 8.0))
EAGER = Pressure(require_benefit=False)


@pytest.mark.parametrize(
    ("size", "level"),
    [(59_999, None), (60_000, 0), (119_999, 0), (120_000, 1), (160_000, 2), (900_000, 2)],
)
def test_the_highest_threshold_reached_is_the_matched_level(size: int, level: int | None) -> None:
    assert matched_level(LEVELS, size) == level


@pytest.mark.parametrize(
    ("matched", "streak", "used"),
    [(0, 0, 0), (0, 1, 1), (0, 2, 2), (0, 3, 0), (1, 0, 1), (1, 1, 2), (1, 2, 1), (2, 5, 2)],
)
def test_levels_go_round_from_the_matched_one_up(matched: int, streak: int, used: int) -> None:
    assert escalated(matched, streak, 3) == used


@pytest.mark.parametrize(
    ("streak", "growth"), [(0, 0.1), (1, 0.1), (2, 0.2), (3, 0.4), (4, 0.8), (5, 1.0), (9, 1.0)]
)
def test_the_required_growth_doubles_up_to_a_hundred_percent(streak: int, growth: float) -> None:
    assert growth_required(streak) == growth


def test_built_in_levels_are_scaled_for_small_windows() -> None:
    assert [level.threshold for level in Pressure().levels(32_000)] == [9_600, 19_200, 25_600]
    assert Pressure().levels(1_000_000) == Pressure().levels(200_000) == LEVELS


def test_levels_that_a_person_wrote_are_sorted_and_never_scaled() -> None:
    written = """
    [compression]
    require_benefit = false
    [[compression.pressure_levels]]
    threshold = 30000
    target_ratio = 4.0
    [[compression.pressure_levels]]
    threshold = 20000
    target_ratio = 2.0
    """
    strategy = parse(written, Path("my.toml")).strategy["pressure"]
    assert isinstance(strategy, Pressure)
    assert [level.threshold for level in strategy.levels(32_000)] == [20_000, 30_000]
    under = exchanges(18, 1_000).situation(window=32_000)
    over = exchanges(19, 1_000).situation(window=32_000)
    assert (under.size, over.size) == (19_000, 20_000)
    assert isinstance(strategy.decide(under), Hold)
    assert isinstance(strategy.decide(over), Plan)


def test_the_seeds_own_levels_are_a_persons_where_they_are_written_down() -> None:
    lines = (
        f"[[compression.pressure_levels]]\nthreshold = {each.threshold}\ntarget_ratio = {ratio}"
        for each in DEFAULT_LEVELS
        for ratio in [each.target_ratio]
    )
    written = parse("\n".join(lines), Path("my.toml")).compression.pressure_levels
    assert written == DEFAULT_LEVELS
    assert Pressure(pressure_levels=written).levels(32_000) == DEFAULT_LEVELS
    kept = pickle.loads(pickle.dumps(Pressure()))  # the lab's workers get it so
    assert kept.levels(32_000) == Pressure().levels(32_000)


def test_without_a_watermark_nothing_cools_down() -> None:
    assert Pressure().waits_for(Story().situation()) is None


@pytest.mark.parametrize(("size", "wanted"), [(10_999, 11_000), (11_000, None)])
def test_after_a_hold_ten_percent_must_have_grown(size: int, wanted: int | None) -> None:
    story = Story(head=size).held(10_000)
    assert Pressure().waits_for(story.situation()) == wanted


def test_a_futile_hold_stays_when_the_person_speaks_and_a_compression_does_not() -> None:
    assert Story().held(10_000).say().state.watermarks.of("pressure") == Watermark(10_000, "hold")
    story = exchanges(6, 1_000)
    story.condensed(compression(story, "pressure"))
    assert story.state.watermarks.of("pressure") is not None
    assert story.state.streak == 1
    story.say()
    assert story.state.watermarks.of("pressure") is None
    assert story.state.streak == 0


def compression(story: Story, by: str, last: int = 4) -> Condensed:
    """A fold of the first `last` units, committed."""
    units = story.state.view.units
    fold = Fold(units[0].id, units[last - 1].id, (Text("note"),))
    level = 0 if by == "pressure" else None
    result = commit(story.state, Plan("test", fold, level=level), lambda _: 400, by=by, margin=0)
    assert isinstance(result, Condensed)
    return result


def test_only_a_compression_at_a_level_counts_towards_the_cooldown() -> None:
    story = exchanges(6, 1_000)
    story.condensed(compression(story, "ttl_prune"))
    assert story.state.streak == 0
    assert story.state.watermarks.of("pressure") is None


def test_done_resets_the_cooldown_and_leaves_no_watermark() -> None:
    story = exchanges(6, 1_000)
    story.condensed(compression(story, "pressure"))
    story.add(0, TaskEnded())
    assert (story.state.streak, story.state.watermarks) == (0, Watermarks())


def test_restore_gives_the_streak_back_and_sets_the_watermark_to_the_size_now() -> None:
    story = exchanges(6, 1_000)
    story.condensed(compression(story, "pressure"))
    made = story.entries[-1].id
    story.add(0, Reverted(made, None, after=7_000, watermark=8_000))
    assert story.state.streak == 0
    assert story.state.watermarks.of("pressure") == Watermark(8_000, "restore")
    assert story.say().state.watermarks.of("pressure") == Watermark(8_000, "restore")


def test_automatic_compression_can_be_turned_off() -> None:
    story = exchanges(100, 1_000)
    for off in (Pressure(hints_enabled=False), Pressure(pressure_levels=())):
        assert off.decide(story.situation()) == Hold("automatic compression is off")


def test_exactly_at_the_threshold_it_acts_and_one_token_below_it_does_not() -> None:
    at = exchanges(58, 1_000).say(1_000)
    assert at.situation().size == 60_000
    assert isinstance(EAGER.decide(at.situation()), Plan)
    below = exchanges(58, 1_000).say(999)
    held = EAGER.decide(below.situation())
    assert isinstance(held, Hold)
    assert held.why == "59,999 tokens are below the first level (60,000)"


def test_the_whole_context_comes_to_its_size_divided_by_the_ratio() -> None:
    story = exchanges(80, 1_000).say(1_000)
    run = fold_range(story.situation(), 2.0, 4_000)
    assert run is not None
    folded = sum(unit.size for unit in going(story.state, run))
    after = story.situation().size - folded + run.budget
    assert after <= 41_000 < after + 1_000
    assert run.first == story.state.view.units[0].id


def test_the_fold_ends_between_exchanges() -> None:
    story = exchanges(80, 1_000).say(1_000)
    run = fold_range(story.situation(), 2.0, 4_000)
    assert run is not None
    units = story.state.view.units
    behind = units[[unit.id for unit in units].index(run.last) + 1]
    assert isinstance(behind, Prompt)


def test_one_long_exchange_is_folded_between_its_steps_and_keeps_the_prompt() -> None:
    story = Story().say(500, "the request")
    for _ in range(150):
        story.call(400)
    plan = EAGER.decide(story.situation())
    assert isinstance(plan, Plan)
    assert isinstance(plan.fold, NoteRequest)
    assert story.state.view.units[0].id == plan.fold.first
    assert story.state.answering in story.state.protected


def test_steps_on_the_same_file_stay_together() -> None:
    story = Story().say(500)
    for n in range(150):
        story.call(400, path=f"/src/file{n // 2}.py")
    run = fold_range(story.situation(), 2.0, 4_000)
    assert run is not None
    units = story.state.view.units
    end = [unit.id for unit in units].index(run.last)
    one, other = units[end], units[end + 1]
    assert isinstance(one, Step)
    assert isinstance(other, Step)
    assert one.calls[0].arguments != other.calls[0].arguments


def test_the_last_four_turns_stay() -> None:
    story = exchanges(30, 4_000).say(100)
    run = fold_range(story.situation(), 1_000.0, 4_000)
    assert run is not None
    units = story.state.view.units
    assert [unit.id for unit in units].index(run.last) == len(units) - 5


def test_nothing_to_compress_is_futile() -> None:
    held = EAGER.decide(Story(head=70_000).say(100).situation())
    assert held == Hold("there is nothing to compress", futile=True)


def test_a_range_under_a_fifth_of_the_context_is_left_alone() -> None:
    story = exchanges(11, 1_000, Story(head=50_000)).say(1_000)
    held = EAGER.decide(story.situation())
    assert isinstance(held, Hold)
    assert held.why == "only 15% of the context can be compressed (20 % is needed)"
    assert not held.futile


@pytest.mark.parametrize(("folded", "made"), [(12_000, True), (11_999, False)])
def test_a_fifth_is_enough(folded: int, made: bool) -> None:
    story = exchanges(1, folded, Story(head=56_000 - folded))
    for size in (1_000, 1_000, 1_000, 1_000):
        story.reply(size)
    assert story.situation().size == 60_000
    assert isinstance(EAGER.decide(story.situation()), Plan) is made


@pytest.mark.parametrize(("least", "made"), [(0.16, True), (0.1601, False)])
def test_what_is_just_enough_to_free_is_freed(least: float, made: bool) -> None:
    story = exchanges(1, 12_000, Story(head=44_000))
    for size in (1_000, 1_000, 1_000, 1_000):
        story.reply(size)
    decision = replace(EAGER, min_freed=least).decide(story.situation())
    assert isinstance(decision, Plan) is made


def test_a_fold_that_frees_too_little_of_the_context_is_not_made_whatever_it_saves() -> None:
    story = exchanges(80, 1_000).say(1_000)
    plan = EAGER.decide(story.situation())
    assert isinstance(plan, Plan)
    assert plan.least == EAGER.min_freed == 0.15
    held = replace(EAGER, min_freed=0.6).decide(story.situation())
    assert isinstance(held, Hold)
    assert held.why == "it would free only 50% of the context (60% is needed)"
    assert not held.futile


@pytest.mark.parametrize(("note", "made"), [(1_800, True), (2_200, False)])
def test_what_a_fold_frees_is_measured_again_with_its_note(note: int, made: bool) -> None:
    story = exchanges(9, 1_000, Story(head=1_000))
    units = story.state.view.units
    assert story.situation().size == 10_000
    fold = Fold(units[0].id, units[6].id, (Text("note"),))
    plan = Plan("test", fold, least=0.15)
    result = commit(story.state, plan, lambda _: note, by="x", margin=0)
    assert isinstance(result, Condensed) is made


@pytest.mark.parametrize(
    ("threshold", "budget"), [(40_000, 8_000), (10_000, 3_000), (1_400, 420), (1_000, 400)]
)
def test_a_note_leaves_room_to_work_below_the_level_that_asks_for_it(
    threshold: int, budget: int
) -> None:
    levels = (Level(threshold, 4.0),)
    plan = Pressure(pressure_levels=levels, require_benefit=False).decide(
        exchanges(80, 1_000).say(100).situation()
    )
    assert isinstance(plan, Plan)
    assert isinstance(plan.fold, NoteRequest)
    assert plan.fold.budget == budget


@pytest.mark.parametrize(("long", "made"), [(12, True), (4, False)])
def test_turns_that_stay_above_the_level_do_not_keep_the_others_from_going(
    long: int, made: bool
) -> None:
    story = exchanges(long, 1_000)
    for _ in range(4):
        story.reply(5_000)
    decision = replace(EAGER, pressure_levels=(Level(20_000, 4.0),)).decide(story.situation())
    assert isinstance(decision, Plan) is made
    if isinstance(decision, Hold):
        assert "of the context" in decision.why


def test_fixed_parts_above_the_level_are_no_loop() -> None:
    story = exchanges(40, 1_000, Story(head=65_000)).say(100)
    plan = EAGER.decide(story.situation())
    assert isinstance(plan, Plan)
    assert isinstance(plan.fold, NoteRequest)
    written = replace(plan, fold=plan.fold.noted((Text("note"),)))
    made = commit(story.state, written, lambda _: 4_000, by="pressure", margin=0)
    assert isinstance(made, Condensed)
    story.add(4_000, made)
    again = EAGER.decide(story.situation())
    assert isinstance(again, Hold)
    assert again.why.startswith("cooling down")


def test_with_a_warm_cache_and_few_calls_to_come_it_does_not_pay() -> None:
    story = exchanges(7, 10_000)
    story.say(500).reply(100, usage=Usage(cache_read=71_000, output=100)).say(100)
    held = Pressure().decide(story.situation())
    assert isinstance(held, Hold)
    assert held.worth is not None
    assert held.worth.net < 0
    assert not held.futile
    assert isinstance(EAGER.decide(story.situation()), Plan)


def test_it_must_have_paid_for_itself_within_a_share_of_the_calls_to_come() -> None:
    story = exchanges(40, 2_000)
    story.say(500).reply(100, usage=Usage(cache_read=81_000, output=100)).say(100)
    held, plan = (each.decide(story.situation()) for each in (Pressure(), Pressure(pay_back=1.0)))
    assert isinstance(held, Hold)
    assert isinstance(plan, Plan)
    assert plan.worth is not None
    assert held.worth == plan.worth
    assert plan.worth.net > 0
    assert f"more than it saves in {int(0.35 * plan.worth.calls)} calls" in held.why


def test_with_a_cold_cache_it_pays() -> None:
    story = exchanges(80, 1_000)
    story.say(500).reply(100, usage=Usage(cache_read=81_000, output=100)).say(100)
    plan = Pressure().decide(story.situation(now=story.now + 301))
    assert isinstance(plan, Plan)
    assert plan.worth is not None
    assert plan.worth.net > 0


def test_at_exactly_the_ttl_the_cache_is_still_warm() -> None:
    story = exchanges(80, 1_000)
    story.say(500).reply(100, usage=Usage(cache_read=81_000, output=100)).say(100)
    assert story.situation(now=story.now + 300).warm
    assert not story.situation(now=story.now + 300.1).warm


def test_what_saves_nothing_is_no_benefit() -> None:
    story = exchanges(80, 1_000).say(100)
    held = Pressure().decide(story.situation(prices=Prices.flat(Rates(2, 10, 0, 0, 0))))
    assert isinstance(held, Hold)
    assert held.worth is not None
    assert held.worth.net == 0


def test_an_unpriced_model_has_nothing_to_weigh() -> None:
    story = exchanges(80, 1_000).say(100)
    plan = Pressure().decide(story.situation(prices=type(SONNET)()))
    assert isinstance(plan, Plan)
    assert plan.worth is None


def test_the_summary_call_is_part_of_the_price_unless_it_is_ignored() -> None:
    story = exchanges(80, 1_000).say(100)
    dear = (Writer("w", SONNET, shares_cache=False),)
    paid = Pressure().decide(story.situation(writers=dear, now=story.now + 999))
    free = Pressure().decide(
        story.situation(writers=dear, now=story.now + 999, summary_ignored=True)
    )
    assert isinstance(paid, Plan | Hold)
    assert paid.worth is not None
    assert free.worth is not None
    assert paid.worth.summary > 0 == free.worth.summary


def test_the_plan_names_its_level_and_ratio() -> None:
    story = exchanges(130, 1_000).say(100)
    plan = EAGER.decide(story.situation())
    assert isinstance(plan, Plan)
    assert (plan.level, plan.ratio) == (1, 4.0)


def test_a_fold_that_frees_less_than_a_tenth_of_its_range_is_thrown_away() -> None:
    story = exchanges(6, 1_000)
    units = story.state.view.units
    fold = Fold(units[0].id, units[3].id, (Text("long"),))

    def weigh(event: Event) -> int:
        return 1_801 if isinstance(event, Condensed) else 0

    result = commit(story.state, Plan("test", fold), weigh, by="pressure", margin=0)
    assert not isinstance(result, Condensed)
    assert "under a tenth" in result.why
