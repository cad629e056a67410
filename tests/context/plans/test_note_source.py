"""What stays beside the units that a note will stand for."""

from octochat.context.plans.note_source import NoteSource
from octochat.context.session.edits import NoteRequest
from tests.build import Story, ids


def source(story: Story, last: int) -> NoteSource:
    """Of a note on the units up to the one in this place."""
    units = list(ids(story))
    return NoteSource(story.situation(), NoteRequest(units[0], units[last], 400), story.entries)


def test_the_request_that_is_worked_on_is_the_one_being_answered() -> None:
    story = Story().say().reply().say(text="before").reply().say(text="now").call(100)
    now = source(story, 1)
    assert now.working_on is not None
    assert now.working_on.id == story.state.answering == list(ids(story))[4]


def test_between_two_turns_it_is_the_last_one_that_stays() -> None:
    story = Story().say().reply().say(text="before").reply().say(text="now").reply()
    working_on = source(story, 1).working_on
    assert working_on is not None
    assert working_on.id == list(ids(story))[4]
    assert source(story, 5).working_on is None


def test_what_stands_behind_the_units_is_the_first_that_stays() -> None:
    story = Story().say().reply().say().reply()
    units = story.state.view.units
    assert source(story, 1).behind == units[2]
    assert source(story, 2).behind == units[3]
    assert source(story, 3).behind is None
    assert (source(story, 1).size, source(story, 3).size) == (200, 400)


def test_of_a_task_that_is_done_its_request_and_what_nobody_has_seen_go_too() -> None:
    story = Story().say().reply().say(text="now").call(100)
    asked, unseen = list(ids(story))[2:]
    request = NoteRequest(next(iter(ids(story))), unseen, 400)
    for trigger, gone in (("auto", False), ("compact", False), ("done", True)):
        units = NoteSource(story.situation(trigger=trigger), request, story.entries).units
        assert [unit.id in (asked, unseen) for unit in units] == [False] * 2 + [True] * 2 * gone


def test_where_all_units_survive_it_is_what_stands_behind_the_last_that_was_asked_for() -> None:
    story = Story().say().reply().say().reply()
    first, second, third, _ = ids(story)
    request = NoteRequest(first, second, 400, keep=(first, second))
    beside = NoteSource(story.situation(), request, story.entries)
    assert not beside.units
    assert beside.behind
    assert beside.behind.id == third
