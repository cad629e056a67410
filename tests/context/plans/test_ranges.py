"""Which run of units is folded, and how long the note for it may be."""

import pytest

from octochat.context.plans.ranges import choose, note_budget, of_a_task_that_is_done
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold, NoteRequest
from octochat.context.session.events import Condensed, SkillLoaded
from tests.build import Story, exchanges, ids

ALL = 1_000_000
"""More than there is to be freed."""


def chosen(story: Story, tail: int, excess: int = ALL, most: int = 4_000) -> NoteRequest | None:
    return choose(story.state.view.units, frozenset(), excess=excess, tail=tail, note_max=most)


def noted(story: Story, units: int) -> Story:
    """The first so many units as a note of 400 tokens."""
    run = list(ids(story))[:units]
    fold = Fold(run[0], run[-1], (Text("note"),))
    return story.condensed(Condensed("compact", "so", 0, 0, fold), note=400)


@pytest.mark.parametrize(
    ("replaced", "budget"),
    [(100, 400), (2_004, 400), (2_005, 401), (10_004, 2_000), (20_000, 4_000), (20_005, 4_000)],
)
def test_a_note_may_take_a_fifth_of_what_it_replaces_between_its_bounds(
    replaced: int, budget: int
) -> None:
    assert note_budget(replaced, 4_000) == budget
    story = Story().say(replaced).reply(1)
    assert chosen(story, tail=1) == NoteRequest(2, 2, budget)


def test_the_originals_of_an_earlier_note_count_in_full() -> None:
    story = noted(exchanges(10, 1_000), units=10)
    note, *later = ids(story)
    assert chosen(story, tail=4) == NoteRequest(note, later[5], (5_000 + 3_000) // 5)


def test_an_earlier_note_alone_is_not_folded_again() -> None:
    story = noted(exchanges(3, 1_000), units=4)
    assert chosen(story, tail=2) is None
    assert chosen(story, tail=1) is not None


@pytest.mark.parametrize(("tail", "folded"), [(0, 5), (1, 3), (2, 2), (3, 1), (4, 0), (9, 0)])
def test_so_many_turns_stay_with_the_notes_among_them(tail: int, folded: int) -> None:
    story = Story().say().reply().say().reply().add(50, SkillLoaded("boats", "row"))
    units = list(ids(story))
    request = chosen(story, tail)
    assert request == (NoteRequest(units[0], units[folded - 1], 400) if folded else None)


@pytest.mark.parametrize(("excess", "folded"), [(1_600, 2), (1_601, 3), (2_400, 3), (2_401, 4)])
def test_it_ends_where_enough_is_freed(excess: int, folded: int) -> None:
    story = exchanges(6, 2_000)
    request = chosen(story, 4, excess)
    assert request is not None
    assert request.last == list(ids(story))[folded - 1]


@pytest.mark.parametrize(("excess", "folded"), [(400, 3), (401, 4)])
def test_what_stays_frees_nothing(excess: int, folded: int) -> None:
    story = Story().say(500)
    for file in "abcdef":
        story.call(350, path=file)
    units = story.state.view.units
    request = choose(units, frozenset({units[0].id}), excess=excess, tail=0, note_max=4_000)
    assert request is not None
    assert request.last == units[folded - 1].id


@pytest.mark.parametrize(("rest", "budget"), [(2_004, 400), (2_005, 401)])
def test_what_stays_makes_the_note_no_longer(rest: int, budget: int) -> None:
    units = Story().say(500).reply(rest).state.view.units
    request = choose(units, frozenset({units[0].id}), excess=ALL, tail=0, note_max=4_000)
    assert request is not None
    assert request.budget == budget


@pytest.mark.parametrize(("size", "folded"), [(500, 2), (501, 3)])
def test_it_ends_between_exchanges_up_to_a_quarter_off(size: int, folded: int) -> None:
    story = Story().say(400).reply(1_100).say(size).reply(700).say(3_000).reply(3_000)
    request = chosen(story, 0, 1_100 + size)
    assert request is not None
    assert request.last == list(ids(story))[folded - 1]


def test_it_may_end_before_the_last_of_the_units_that_may_go() -> None:
    story = Story().say(2_000).reply(400).say(900)
    request = chosen(story, 0, 1_600)
    assert request is not None
    assert request.last == list(ids(story))[1]


@pytest.mark.parametrize(
    ("name", "folded"),
    [("-", 15), ("--", 16), ("-" * 199, 16), ("-" * 200, 15), ("two\nlines", 15)],
    ids=["2", "3", "200", "201", "lines"],
)
def test_steps_that_share_a_short_argument_are_folded_together(name: str, folded: int) -> None:
    story = Story().say(500)
    for pair in "abcdefghijklmnopqrst":
        story.call(400, path=pair + name).call(400, path=pair + name)
    request = chosen(story, 0, 5_800)
    assert request is not None
    assert request.last == list(ids(story))[folded]


def test_it_ends_a_little_elsewhere_where_steps_on_one_file_would_be_parted() -> None:
    story = Story().say(500)
    for file in ("far.py", *["near.py"] * 9, *["last.py"] * 12):
        story.call(400, path=file)
    units = list(ids(story))
    for excess, folded in ((3_200, 9), (3_400, 11), (4_200, 11), (4_400, 13)):
        request = chosen(story, 0, excess)
        assert request is not None
        assert request.last == units[folded - 1]


def test_a_task_that_is_done_needs_a_third_of_the_note() -> None:
    work = NoteRequest(2, 9, 3_000, keep=(4,), focus="the mast")
    done = of_a_task_that_is_done(work)
    assert done == NoteRequest(2, 9, 1_000, keep=(4,), focus="the mast", style="outcome")
    assert of_a_task_that_is_done(NoteRequest(2, 9, 900)).budget == 400
