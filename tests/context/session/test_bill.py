"""The sums of a whole session, and how fast its context grows."""

from dataclasses import replace

import pytest

from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Held,
    Hinted,
    KeptWarm,
    ModelChanged,
    NoteEdited,
    Recalled,
    Replied,
    Reverted,
    Rewound,
    Usage,
)
from octochat.context.session.kept_warm import WarmthSums
from octochat.context.session.ledger import FIRST_GROWTH, Ledger, RecallSums
from tests.build import Story

FOLD = Condensed("compact", "so", 6_100, 1_400, Fold(2, 3, (Text("note"),)))


def answered(story: Story, context: int, cost: float | None = None, **more: object) -> Story:
    """The model answers, and the request and the answer had so many tokens together."""
    story.now += 10
    usage = Usage(cache_write=context - 10, output=10) if context else Usage()
    event = Replied((Text("so"),), usage=usage, model="m", cost=cost)
    return story.add(10, replace(event, **more))  # pyright: ignore[reportArgumentType]


def test_every_token_and_dollar_is_counted_once_and_what_costs_what() -> None:
    story = answered(Story().say(5_000), 6_100, 0.5, ttl=3_600)
    story.add(30, Recalled("oak", (1,), passages=2, cost=0.125)).add(20, Recalled("pine", (1,)))
    story.now += 20
    answered(story, 6_300, ttl=3_600).add(0, Hinted("near"))
    story.now += 4_000
    answered(story, 6_400, 1.5, ttl=3_600)
    written = replace(FOLD, writer="x", usage=Usage(fresh=9, output=1), cost=0.25, ignored=True)
    story.condensed(written)
    story.add(0, Held("pressure", "no", writer="x", usage=Usage(fresh=5), cost=None))
    story.add(0, Held("pressure", "no", watermark=9)).add(0, KeptWarm("m", Usage(fresh=3), 2.0))
    ledger = story.state.ledger
    (record,) = ledger.compressions
    assert (record.at, record.calls, record.cold) == (4_050, 3, 1)
    assert replace(ledger, compressions=()) == Ledger(
        calls=3,
        usage=Usage(0, 0, 18_770, 0, 30),
        cost=2.0,
        unpriced=1,
        summary_calls=2,
        summary_usage=Usage(14, 0, 0, 0, 1),
        summary_cost=0.25,
        summaries_unpriced=1,
        ignored_cost=0.25,
        first_call=10,
        last_call=4_050,
        cold_calls=1,
        ttl=3_600,
        active_seconds=30,
        growths=(200, 100),
        carried=1_700,
        compressions=(),
        recalls=RecallSums(2, 2, 50, 0.125),
        warmth=WarmthSums(1, Usage(3, 0, 0, 0, 0), 2.0, 4_050, 2.0, missed=True),
        hinted=2,
    )
    assert ledger.total_cost == 4.0


def test_a_call_that_failed_is_paid_for_and_is_none_of_the_calls() -> None:
    story = answered(Story().say(), 1_100, 0.5)
    story.now += 1_000
    ledger = answered(story, 1_100, 0.25, stop="failed", void=True).state.ledger
    assert (ledger.calls, ledger.cost, ledger.cold_calls) == (1, 0.75, 0)


def test_a_call_that_is_no_part_of_the_conversation_leaves_its_growth_as_it_was() -> None:
    story = answered(answered(Story().say(), 1_000), 9_000, void=True)
    assert story.state.ledger.growths == ()
    assert answered(story, 1_300).state.ledger.growths == (300,)


@pytest.mark.parametrize(
    ("growths", "growth"),
    [((), FIRST_GROWTH), ((100,), 100), ((300, 100), 200), ((9_000, 200, 900, 100, 300), 300)],
)
def test_the_context_is_expected_to_grow_by_what_is_usual(
    growths: tuple[int, ...], growth: int
) -> None:
    assert Ledger(growths=growths).growth == growth


def test_only_the_last_ten_calls_say_how_fast_the_context_grows() -> None:
    story = answered(Story().say(), 1_000)
    for n in range(11):
        answered(story, 1_500 + 10 * n)
    assert story.state.ledger.growths == (10,) * 10


def test_a_context_that_shrank_by_itself_has_not_grown() -> None:
    assert answered(answered(Story().say(), 1_000), 900).state.ledger.growths == (0,)


def test_what_was_freed_is_no_part_of_the_growth() -> None:
    story = answered(Story().say(5_000), 6_100).condensed(FOLD)
    assert answered(story, 1_600).state.ledger.growths == (200,)


@pytest.mark.parametrize(
    "event",
    [
        Reverted(4, None, after=6_100, watermark=6_100),
        Rewound(3),
        NoteEdited(4, "shorter"),
        ModelChanged("n"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_growth_is_not_measured_across_a_change_that_nobody_weighed(
    event: Reverted | Rewound | NoteEdited | ModelChanged,
) -> None:
    story = answered(Story().say(5_000), 6_100).condensed(FOLD)
    assert answered(story.add(0, event), 7_000).state.ledger.growths == ()


def test_a_call_that_a_server_did_not_count_says_nothing_of_the_growth() -> None:
    story = answered(answered(answered(Story().say(), 1_000), 0), 3_000)
    assert story.state.ledger.growths == ()
    assert answered(story, 3_100).state.ledger.growths == (100,)


def test_a_compression_that_is_taken_back_is_struck_off_and_others_stay() -> None:
    story = answered(Story().say(5_000), 6_100).condensed(FOLD)
    first = story.entries[-1].id
    again = Fold(first, first + 1, (Text("note"),))
    answered(story.say(), 1_600).condensed(replace(FOLD, fold=again))
    story.add(0, Reverted(story.entries[-1].id, None, after=1_600, watermark=0))
    assert [made.id for made in story.state.ledger.compressions] == [first]


def test_growth_is_told_in_the_tokens_of_the_model_that_goes_on() -> None:
    story = answered(answered(Story().say(), 1_000), 1_301)
    assert story.add(0, ModelChanged("n", scale=1.5)).state.ledger.growths == (452,)
