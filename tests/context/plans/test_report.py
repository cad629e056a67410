"""The figures of `/info`."""

from dataclasses import astuple

from octochat.context.plans.context_parts import parts
from octochat.context.plans.report import Trimming, info
from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Entry,
    Opened,
    Prompted,
    Recalled,
    Replied,
    SkillLoaded,
    Usage,
)
from octochat.context.session.state import replay
from octochat.context.session.view import View
from octochat.context.strategies.pressure import Pressure
from tests.build import SONNET, Story, exchanges

USED = Usage(cache_read=900, cache_write=100, output=50)
HEAD = (
    Opened("claude-sonnet-5-5", "s"),
    Prompted((Text("hi"),)),
    Replied((Text("yes"),), usage=USED, cost=0.25),
)


def situation() -> Situation:
    state = replay([Entry(n, float(n), 100, event) for n, event in enumerate(HEAD, 1)])
    return Situation(state, len, now=10.0, prices=SONNET, margin=1_000)


def test_levels_and_the_outlook_are_those_of_the_strategies() -> None:
    shown = info(situation(), (Pressure(),))
    assert [level.reached for level in shown.levels] == [False] * len(shown.levels)
    assert shown.levels
    assert [(look.strategy, look.acts) for look in shown.outlook] == [("pressure", False)]


def test_prices_are_those_for_a_prompt_of_this_size() -> None:
    now = situation()
    assert info(now, ()).prices == SONNET.at(now.size)


def test_what_was_trimmed_is_told_as_a_share_of_what_there_was() -> None:
    assert Trimming("x", 8_000, 2_000, 3).compression_ratio == 0.25
    assert Trimming("x", 0, 0, 0).compression_ratio == 1


def test_before_anything_is_sent_nothing_was_read_from_the_cache() -> None:
    shown = info(Story().situation(prices=SONNET), ())
    assert (shown.cache_hit_rate, shown.calls) == (0, 0)
    assert round(info(situation(), ()).cache_hit_rate, 2) == 0.9


def test_before_the_first_compression_every_figure_of_them_is_nothing() -> None:
    assert not any(astuple(info(situation(), ()).compressions))


def test_what_nobody_weighed_has_saved_tokens_and_no_dollars() -> None:
    story = exchanges(4, 4_000)
    first, *_, last = (unit.id for unit in story.state.view.units)
    story.condensed(Condensed("x", "so", 16_000, 2_000, Fold(first, last, (Text("note"),))))
    shown = info(story.situation(prices=SONNET), ()).compressions
    assert shown.tokens_saved == 14_000
    assert (shown.cost_saved, shown.last_cost_saved, shown.cost_saved_so_far) == (0, 0, 0)


def test_the_parts_add_up_to_the_whole() -> None:
    now = situation()
    assert sum(part.tokens for part in parts(now.state.view, now.size)) == now.size


def test_each_kind_of_note_is_a_part_of_its_own() -> None:
    story = exchanges(2, 1_000).add(50, SkillLoaded("boats", "row")).add(60, Recalled("oak"))
    fold = Fold(2, 3, (Text("note"),))
    view = story.condensed(Condensed("x", "so", 0, 0, fold), note=400).state.view
    assert {part.name: part.tokens for part in parts(view, view.size)} == {
        "system and tools": 1_000,
        "skills": 50,
        "notes": 400,
        "recalled": 60,
        "conversation": 1_000,
    }


def test_the_parts_add_up_where_the_api_counts_less_than_octochat() -> None:
    view = situation().state.view
    size = view.size * 2 // 3 + 1
    shown = parts(view, size)
    assert sum(part.tokens for part in shown) == size
    assert len(shown) == 2


def test_an_empty_context_has_no_parts() -> None:
    assert parts(View(), 0) == ()
