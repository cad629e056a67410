"""What gives way when a request must fit, and when it must: docs/compression.md#the-ladder."""

from dataclasses import replace

import pytest

from octochat.context.plans.commit import commit
from octochat.context.plans.ladder import (
    CLEARED,
    PICTURES,
    WORTH_TRIMMING,
    biggest,
    compression,
    drops,
    hardest,
    rungs,
    trims,
)
from octochat.context.plans.ranges import going
from octochat.context.plans.strategy import Level, Strategy
from octochat.context.session.content import Image, Text
from octochat.context.session.edits import Fold, NoteRequest, PromptTrim, ResultTrim
from octochat.context.session.events import Condensed, Prompted, SkillLoaded
from octochat.context.session.view import Prompt
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.pressure import Pressure
from tests.build import Story, exchanges


@pytest.mark.parametrize(
    ("most", "limit"), [(0, 180_000), (50_000, 50_000), (180_000, 180_000), (500_000, 180_000)]
)
def test_max_session_tokens_can_only_lower_what_the_window_allows(most: int, limit: int) -> None:
    now = Story().situation(window=200_000, max_session=most)
    assert now.limit == limit


def test_a_window_smaller_than_the_reserve_still_takes_requests() -> None:
    assert Story().situation(window=16_000, reserve=20_000).limit == 8_000


def test_the_hardest_level_is_the_one_that_is_configured() -> None:
    levels = (Level(1_000, 12.0), Level(2_000, 3.0))
    strategies = (Fifo(), Pressure(pressure_levels=levels))
    assert hardest(strategies, 200_000) == 12.0
    now = exchanges(40, 1_000).situation()
    plan = rungs(4_000, strategies)[1](now, now.size - 1)
    assert plan is not None
    assert plan.ratio == 12.0
    mild = compression(now, now.size - 1, 4_000, 2.0)
    assert mild is not None
    assert isinstance(plan.fold, NoteRequest)
    assert isinstance(mild.fold, NoteRequest)
    assert plan.fold.last > mild.fold.last


@pytest.mark.parametrize("strategies", [(Fifo(),), (Pressure(pressure_levels=()),)])
def test_without_levels_an_eighth_of_the_context_is_left(strategies: tuple[Strategy, ...]) -> None:
    now = exchanges(200, 500).situation()
    plan = rungs(400, strategies)[1](now, now.size - 1)
    assert plan is not None
    assert isinstance(plan.fold, NoteRequest)
    gone = sum(unit.size for unit in going(now.state, plan.fold))
    assert now.size / 8 - 500 <= now.size - gone + 400 <= now.size / 8


def test_the_most_that_the_ladder_folds_leaves_the_last_turn() -> None:
    now = exchanges(4, 1_000).situation()
    plan = compression(now, 0, 400)
    assert plan is not None
    assert isinstance(plan.fold, NoteRequest)
    assert plan.fold.last == now.state.view.units[-2].id


SAVED = 1_000 - len(CLEARED) // 4
"""Tokens that clearing a result of 1,000 saves."""


@pytest.mark.parametrize(
    ("excess", "cleared"), [(-1, 0), (0, 0), (1, 1), (SAVED, 1), (SAVED + 1, 2), (10**6, 4)]
)
def test_old_results_are_cleared_first_oldest_first_and_only_as_many_as_it_takes(
    excess: int, cleared: int
) -> None:
    story = Story().say()
    for _ in range(5):
        story.call(1_000)
    now = story.situation()
    plan = trims(now, now.size - excess)
    calls = ("c2", "c4", "c6", "c8")[:cleared]
    assert (plan.trims if plan else ()) == tuple(ResultTrim(call, CLEARED) for call in calls)


@pytest.mark.parametrize(
    ("saved", "cleared"), [(WORTH_TRIMMING, False), (WORTH_TRIMMING + 1, True)]
)
def test_a_result_that_hardly_saves_anything_is_not_cleared(saved: int, cleared: bool) -> None:
    story = Story().say().call(saved + len(CLEARED) // 4).reply()
    assert (trims(story.situation(), 0) is not None) is cleared


@pytest.mark.parametrize(
    ("story", "named"),
    [
        (Story(head=9_000).say(), "the system prompt and the tool definitions"),
        (Story().say(9_000, "build"), 'your message "build"'),
        (Story().say(9_000, "b" * 40), f'your message "{"b" * 40}"'),
        (Story().say(9_000, "b" * 41), f'your message "{"b" * 40}..."'),
        (Story().say().reply(9_000), "a reply of the model"),
        (Story().say().call(9_000, size=8_000), "the result of a tool"),
        (Story().add(9_000, SkillLoaded("boats", "row")), "the skill boats"),
        (
            exchanges(2, 100).condensed(
                Condensed("x", "so", 0, 0, Fold(2, 5, (Text("note"),))), note=9_000
            ),
            "a note",
        ),
    ],
)
def test_what_is_too_big_is_named(story: Story, named: str) -> None:
    assert biggest(story.state) == f"{named} (9,000 tokens)"


def test_old_pictures_of_the_person_are_cleared_too_and_the_words_stay() -> None:
    story = Story().add(1_700, Prompted((Text("look"), Image("image/png", "x")))).reply()
    story.add(1_700, Prompted((Text("and here"), Image("image/png", "x"))))
    now = story.situation()
    plan = trims(now, now.size - 2_500)
    assert plan is not None
    assert [t.unit for t in plan.trims if isinstance(t, PromptTrim)] == [2]
    event = commit(now.state, plan, lambda _: 20, by="ladder", margin=0, trigger="overflow")
    assert isinstance(event, Condensed)
    first, _, last = story.add(0, event).state.view.units
    assert isinstance(first, Prompt)
    assert isinstance(last, Prompt)
    assert first.blocks == (Text(f"look\n{PICTURES} (1)"),)
    assert first.size == 20
    assert len(last.blocks) == 2
    again = story.situation()
    assert trims(again, again.size - 10) is None


def test_a_picture_that_hardly_weighs_anything_beside_its_words_is_not_cleared() -> None:
    said = Prompted((Text("look " * 600), Image("image/png", "x")))
    story = Story().add(800, said).reply()
    assert trims(story.situation(), 0) is None


def test_what_is_dropped_makes_room_for_the_word_about_it() -> None:
    story = Story()
    for _ in range(10):
        story.say(500).reply(500)
    now = story.situation()
    plan = drops(now, now.size - 1_000)
    assert plan is not None
    assert isinstance(plan.fold, Fold)
    before, run, _ = now.state.view.split(plan.fold.first, plan.fold.last)
    assert before == ()
    note = now.measure("".join(block.text for block in plan.fold.note if isinstance(block, Text)))
    assert sum(unit.size for unit in run) - note >= 1_000


@pytest.mark.parametrize(
    ("excess", "last"), [(-50, None), (-49, 2), (450, 2), (451, 3), (10**6, 21)]
)
def test_only_as_many_are_dropped_as_it_takes(excess: int, last: int | None) -> None:
    story = exchanges(10, 1_000)
    now = story.situation()
    plan = drops(now, now.size - excess)
    assert (plan.fold.last if plan and isinstance(plan.fold, Fold) else None) == last


def test_what_may_go_is_worked_out_once_a_look() -> None:
    now = exchanges(3, 100).situation()
    assert now.free is now.free
    assert replace(now, margin=5).free == now.free
