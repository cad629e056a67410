"""After a long pause: what reading the context anew costs, and that a note first is cheaper."""

from dataclasses import replace
from math import isclose

import pytest

from octochat.context.economics.prices import FREE, UNPRICED, Prices, Rates
from octochat.context.economics.worth import INSTRUCTION, Writer
from octochat.context.plans.cold_start import compact_first
from tests.build import SONNET, Story, exchanges

CHEAP = Writer("cheap", Prices.flat(Rates(0.1, 0.5, 0.125, 0.2, 0.01)), shares_cache=False)


def asked(
    story: Story, pause: float = 1_000, first: int | None = 20_000, **terms: object
) -> object:
    given: dict[str, object] = {"now": story.now + pause, "writers": (CHEAP,), **terms}
    return compact_first(story.situation(**given), first, 4_000)


def test_a_big_cold_context_can_be_compressed_first_for_the_price_of_the_note() -> None:
    cost = asked(exchanges(10, 4_000))
    assert isinstance(cost, float)
    transcript, answer = 600 + 9 * 4_000 - 2_000 + 2_000, 2_000 - 200
    assert isclose(cost, (transcript * 0.1 + answer * 0.5) / 1e6, rel_tol=0.15)


def test_a_note_that_no_model_writes_costs_nothing() -> None:
    assert asked(exchanges(10, 4_000), writers=()) == 0


def test_a_model_that_shares_the_cache_reads_it_all_anew_too() -> None:
    story = exchanges(20, 4_000)
    size = story.situation().size
    cost = asked(story, prices=SONNET, writers=(Writer("m", SONNET, shares_cache=True),))
    assert isinstance(cost, float)
    assert isclose(cost, ((size + INSTRUCTION) * 2 + 2_000 * 10) / 1e6)


@pytest.mark.parametrize(
    "terms",
    [
        {"pause": 100},
        {"first": 50_000},
        {"first": None},
        {"prices": Prices.flat(FREE)},
        {"prices": UNPRICED},
        {"writers": (Writer("dear", Prices.flat(Rates(50, 250, 62, 99, 5)), shares_cache=False),)},
    ],
    ids=["warm", "small", "no levels", "free", "unpriced", "a dear writer"],
)
def test_where_it_would_save_nothing_nothing_is_said(terms: dict[str, object]) -> None:
    assert asked(exchanges(10, 4_000), **terms) is None  # pyright: ignore[reportArgumentType]


def test_the_first_level_itself_is_big_enough() -> None:
    story = exchanges(10, 4_000)
    size = story.situation(now=story.now + 1_000, writers=(CHEAP,)).size
    assert asked(story, first=size) is not None
    assert asked(story, first=size + 1) is None


@pytest.mark.parametrize(("write", "told"), [(0, False), (1, True)])
def test_a_note_that_costs_as_much_as_going_on_is_not_spoken_of(write: int, told: bool) -> None:
    story = exchanges(10, 4_000)
    one = Writer("one", Prices.flat(Rates(1, 0, 1, 1, 1)), shares_cache=False)
    read = asked(story, writers=(one,), prices=Prices.flat(Rates(9, 9, 9, 9, 9)))
    assert isinstance(read, float)
    size = story.state.context
    same = replace(one, prices=Prices.flat(Rates(size, 0, size, size, size)))
    cold = round(read * 1e6) + write
    prices = Prices.flat(Rates(cold, cold, cold, cold, 0))
    assert (asked(story, writers=(same,), prices=prices) is not None) is told


def test_a_new_session_has_nothing_to_compress() -> None:
    assert asked(Story(head=30_000)) is None
    assert asked(Story(head=30_000).say(), prices=SONNET) is None
